/** What a worker is to look for, and the memory in which it is given where to look. */
export interface MatchTask {
  readonly source: string;
  readonly flags: string;
  /** Whether a text in which the expression matches nowhere has no line in which it does. */
  readonly quick: boolean;
  readonly memory: readonly SharedArrayBuffer[];
}

/** Pieces of one memory, each by its start and its end, and how many lines of each are wanted. */
export interface MatchRequest {
  readonly memory: number;
  readonly pieces: readonly number[];
  readonly limit: number;
}

/** For each piece: line, counted from 0, and byte in that line of each match, one after the other. */
export type MatchResponse = readonly (readonly number[])[];

/**
 * Matches a regular expression line by line. Runs in a worker, for the engine can take for ever and cannot be
 * interrupted otherwise; so its text is handed over, and it may use nothing from outside itself.
 */
export function matchInWorker(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { source, flags, quick, memory } = workerData as MatchTask;
  const expression = new RegExp(source, flags);
  const buffers = memory.map((shared) => Buffer.from(shared));

  function linesOf(text: string, limit: number): number[] {
    const found: number[] = [];
    let number = 0;
    for (let start = 0; start <= text.length && found.length < 2 * limit; number++) {
      let end = text.indexOf('\n', start);
      if (end < 0) end = text.length;
      // What follows the last line break is no line.
      if (end === start && end === text.length && start > 0) break;
      const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
      const at = line.search(expression);
      if (at >= 0) found.push(number, at && Buffer.byteLength(line.slice(0, at)));
      start = end + 1;
    }
    return found;
  }

  parentPort!.on('message', ({ memory: index, pieces, limit }: MatchRequest) => {
    const response: number[][] = [];
    for (let piece = 0; piece < pieces.length; piece += 2) {
      const text = buffers[index]!.toString('utf8', pieces[piece], pieces[piece + 1]);
      response.push(quick && text.search(expression) < 0 ? [] : linesOf(text, limit));
    }
    parentPort!.postMessage(response);
  });
}
