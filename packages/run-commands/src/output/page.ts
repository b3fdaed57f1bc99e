import { headBytes, type KeptOutput, type Passage, tailBytes } from './kept-output.ts';

/** A place in an output: the number of a line from 1, and the characters of it that come before. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Page {
  /** Lines as `12⇥text`. */
  readonly text: string;
  /** Where the next page begins; undefined at the end. */
  readonly next: Place | undefined;
}

/** A line with its number. */
export function numbered(line: number, text: string): string {
  return `${line}\t${text}`;
}

/** The lines from a place on, as many as fit into `maxLength` characters; only those that contain `match`. */
export function pageOf(output: KeptOutput, from: Place, maxLength: number, match = ''): Page {
  const texts: string[] = [];
  let rest = maxLength;
  for (const { line, text, isGap } of linesFrom(output, from)) {
    const column = line === from.line ? from.column : 0;
    if (!isGap && match !== '' && !text.includes(match)) continue;
    const shown = isGap ? text : numbered(line, text.slice(column));
    if (shown.length + 1 > rest) {
      // A line that fills a page of its own is cut; any other begins the next page.
      const isFirst = texts.length === 0;
      if (isFirst) texts.push(shown.slice(0, rest));
      const next = isFirst ? { line, column: column + rest - String(line).length - 1 } : { line, column };
      return { text: texts.join('\n'), next };
    }
    texts.push(shown);
    rest -= shown.length + 1;
  }
  return { text: texts.join('\n'), next: undefined };
}

interface Line {
  readonly line: number;
  readonly text: string;
  /** Whether it stands for what was dropped. */
  readonly isGap: boolean;
}

function* linesFrom(output: KeptOutput, from: Place): Generator<Line> {
  const passages = output.passages();
  for (const [index, passage] of passages.entries()) {
    const line = passage.first - 1;
    if (index > 0 && from.line <= line) yield { line, text: droppedText(output), isGap: true };
    yield* linesOf(passage, from.line);
  }
}

function* linesOf({ first, lines }: Passage, from: number): Generator<Line> {
  for (let index = Math.max(0, from - first); index < lines.length; index++)
    yield { line: first + index, text: lines[index]!, isGap: false };
}

/** How much of an output was dropped. */
export function droppedText(output: KeptOutput): string {
  return `… ${output.droppedBytes} of ${output.bytes} bytes were dropped: the first ${headBytes} and the last ${tailBytes} are kept`;
}
