/** The expression that a worker matches, and the shared memory that contains the text. */
export interface MatchTask {
  readonly source: string;
  readonly flags: string;
  /** Whether the expression may be tried on a whole text first: without a match there, no line matches. */
  readonly quick: boolean;
  /** Whether a match may span several lines; all of them are returned. */
  readonly isMultiline: boolean;
  readonly memory: readonly SharedArrayBuffer[];
}

/** Pieces of the buffer `memory`, each as four numbers: start, end, maximum lines to return, and to count. */
export interface MatchRequest {
  readonly memory: number;
  readonly pieces: readonly number[];
}

/**
 * For each piece, the number of matching lines, then two numbers for each returned line: the number of the
 * line, from 0, and the byte offset of the match in this line.
 */
export type MatchResponse = readonly (readonly number[])[];

/**
 * Matches a regular expression line by line. In a worker, because the engine may take for ever and cannot be
 * interrupted. The worker gets the source text of this function, which must use nothing outside itself.
 */
export function regexWorkerMain(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { source, flags, quick, isMultiline, memory } = workerData as MatchTask;
  const expression = new RegExp(source, isMultiline ? `${flags}g` : flags);
  const buffers = memory.map((shared) => Buffer.from(shared));

  function linesOf(text: string, limit: number, maxCounted: number): number[] {
    const found = [0];
    let number = 0;
    for (let start = 0; start <= text.length && found[0]! < maxCounted; number++) {
      let end = text.indexOf('\n', start);
      if (end < 0) end = text.length;
      // The text ends with a line break, after which no further line begins.
      if (end === start && end === text.length && start > 0) break;
      const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
      const at = line.search(expression);
      if (at >= 0 && found[0]!++ < limit) found.push(number, at && Buffer.byteLength(line.slice(0, at)));
      start = end + 1;
    }
    return found;
  }

  /** The lines of all matches. A line break is `\n`, also where the text has `\r\n`. */
  function spannedLinesOf(decoded: string): number[] {
    const text = decoded.replaceAll('\r\n', '\n');
    const found = [0];
    let [number, start, last] = [0, 0, -1];
    for (const { index, 0: match } of text.matchAll(expression)) {
      const end = index + Math.max(match.length - 1, 0);
      for (let at = index; at <= end;) {
        for (let next = text.indexOf('\n', start); next >= 0 && next < at; next = text.indexOf('\n', start)) {
          start = next + 1;
          number++;
        }
        // No further line begins after a line break at the end of the text.
        if (start === text.length && start > 0) break;
        if (number > last) {
          found.push(number, Buffer.byteLength(text.slice(start, at)));
          found[0]!++;
          last = number;
        }
        const lineBreak = text.indexOf('\n', at);
        at = lineBreak < 0 ? end + 1 : lineBreak + 1;
      }
    }
    return found;
  }

  parentPort!.on('message', ({ memory: index, pieces }: MatchRequest) => {
    const response: number[][] = [];
    for (let piece = 0; piece < pieces.length; piece += 4) {
      const [start, end, limit, maxCounted] = pieces.slice(piece, piece + 4) as [
        number,
        number,
        number,
        number,
      ];
      const text = buffers[index]!.toString('utf8', start, end);
      if (isMultiline) response.push(spannedLinesOf(text));
      else response.push(quick && text.search(expression) < 0 ? [0] : linesOf(text, limit, maxCounted));
    }
    parentPort!.postMessage(response);
  });
}
