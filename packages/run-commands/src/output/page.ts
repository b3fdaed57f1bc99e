import { cutText } from './cut-text.ts';
import { headBytes, type KeptOutput, type Passage, tailBytes } from './kept-output.ts';

/** A place in an output: the number of a line, from 1, and how many characters of that line come before. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Page {
  /** The lines, each in the form `12⇥text`. */
  readonly text: string;
  /** Where the next page begins; undefined if this page is the last. */
  readonly next: Place | undefined;
}

export function numbered(line: number, text: string): string {
  return `${line}\t${text}`;
}

/** Returns lines from a place on, up to `maxLength` characters; with `match`, only lines that contain it. */
export function pageOf(output: KeptOutput, from: Place, maxLength: number, match = ''): Page {
  const texts: string[] = [];
  let rest = maxLength;
  let hasLine = false;
  for (const { line, column, text, isGap } of linesFrom(output, from)) {
    if (!isGap && match !== '' && !text.includes(match)) continue;
    const begin = line === from.line ? Math.max(0, from.column - column) : 0;
    const shown = isGap ? text : numbered(line, text.slice(begin));
    if (shown.length + 1 > rest) {
      if (isGap || hasLine) return { text: texts.join('\n'), next: { line, column: column + begin } };
      // A line that does not fit on the rest of a page begins the next page. If it is the first line of a
      // page, it is longer than a whole page, and is cut.
      const cut = cutText(shown, rest);
      const next = { line, column: column + begin + cut.length - numbered(line, '').length };
      return { text: [...texts, cut].join('\n'), next };
    }
    texts.push(shown);
    hasLine ||= !isGap;
    rest -= shown.length + 1;
  }
  return { text: texts.join('\n'), next: undefined };
}

interface Line extends Place {
  readonly text: string;
  /** Whether this is not a line, but a note about the bytes that were dropped here. */
  readonly isGap: boolean;
}

function* linesFrom(output: KeptOutput, from: Place): Generator<Line> {
  const [head, tail] = output.passages();
  if (!head) return;
  const last = head.first + head.lines.length - 1;
  const lastLength = head.lines.at(-1)?.length ?? 0;
  // If all dropped bytes belong to one line, the beginning and the end of this line are kept. The columns of
  // the end are counted as if it followed the beginning directly.
  const column = tail?.first === last ? lastLength : 0;
  const isPast = column > 0 && from.line === last && from.column >= column;
  if (!isPast) yield* linesOf(head, from.line, 0);
  if (!tail) return;
  if (from.line < tail.first || (from.line === tail.first && from.column <= column))
    yield { line: tail.first, column, text: droppedText(output), isGap: true };
  yield* linesOf(tail, from.line, column);
}

/** Yields the lines of a passage. `column` is the column at which its first line begins. */
function* linesOf({ first, lines }: Passage, from: number, column: number): Generator<Line> {
  for (let index = Math.max(0, from - first); index < lines.length; index++)
    yield { line: first + index, column: index === 0 ? column : 0, text: lines[index]!, isGap: false };
}

export function droppedText(output: KeptOutput): string {
  return `… ${output.droppedBytes} of ${output.bytes} bytes were dropped: the first ${headBytes} and the last ${tailBytes} are kept`;
}
