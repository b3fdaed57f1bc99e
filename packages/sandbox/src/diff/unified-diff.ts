import { escapeName } from '@mcp/kit';
import { diffLines, type LineChange } from './diff-lines.ts';

const contextLines = 3;
/** The default number of characters after which a diff is cut. */
export const defaultMaxLength = 32 * 1024;
/** If a line has more characters than this, the diff shows only the part around the first difference. */
const maxLineLength = 1000;
const shownLength = 600;
const leadLength = 200;

/** The difference of two texts as by `diff -u`, with long lines and diffs cut; empty if they are equal. */
export function unifiedDiff(
  path: string,
  before: string,
  after: string,
  maxLength = defaultMaxLength,
  otherPath = path,
): string {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const changes = diffLines(oldLines, newLines);
  if (changes.length === 0) return '';
  const printer = new Printer(oldLines, newLines, maxLength);
  const isComplete = hunksOf(changes).every((hunk) => printer.printHunk(hunk));
  return `--- ${escapeName(path)}\n+++ ${escapeName(otherPath)}\n${printer.text}${isComplete ? '' : summary(changes)}`;
}

/** Groups changes into hunks: changes whose context lines overlap or touch are in the same hunk. */
function hunksOf(changes: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const previous = hunks.at(-1)?.at(-1);
    if (previous && change.oldStart - previous.oldEnd <= 2 * contextLines) hunks.at(-1)!.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

class Printer {
  text = '';
  readonly #oldLines: readonly string[];
  readonly #newLines: readonly string[];
  readonly #maxLength: number;

  constructor(oldLines: readonly string[], newLines: readonly string[], maxLength: number) {
    this.#oldLines = oldLines;
    this.#newLines = newLines;
    this.#maxLength = maxLength;
  }

  /** Prints one hunk. Returns false if the diff has then reached its maximum length. */
  printHunk(changes: readonly LineChange[]): boolean {
    const first = changes[0]!;
    const last = changes.at(-1)!;
    const lead = Math.min(contextLines, first.oldStart);
    const oldStart = first.oldStart - lead;
    const newStart = first.newStart - lead;
    const oldEnd = Math.min(this.#oldLines.length, last.oldEnd + contextLines);
    const newEnd = last.newEnd + (oldEnd - last.oldEnd);
    this.text += `@@ -${range(oldStart, oldEnd)} +${range(newStart, newEnd)} @@\n`;
    let at = oldStart;
    for (const change of changes) {
      if (!this.#printContext(at, change.oldStart) || !this.#printChange(change)) return false;
      at = change.oldEnd;
    }
    return this.#printContext(at, oldEnd);
  }

  #printContext(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (!this.#print(' ', this.#oldLines[at]!, 0)) return false;
    return true;
  }

  #printChange({ oldStart, oldEnd, newStart, newEnd }: LineChange): boolean {
    const difference = (index: number) =>
      commonLength(this.#oldLines[oldStart + index], this.#newLines[newStart + index]);
    for (let at = oldStart; at < oldEnd; at++)
      if (!this.#print('-', this.#oldLines[at]!, difference(at - oldStart))) return false;
    for (let at = newStart; at < newEnd; at++)
      if (!this.#print('+', this.#newLines[at]!, difference(at - newStart))) return false;
    return true;
  }

  #print(sign: string, line: string, difference: number): boolean {
    const text = line.length > maxLineLength ? excerpt(line, difference) : line;
    this.text += text.endsWith('\n') ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`;
    return this.text.length < this.#maxLength;
  }
}

/** Returns the part of a long line around a position, with `…` for the omitted text. */
function excerpt(line: string, position: number): string {
  const start = Math.max(0, position - leadLength);
  const end = start + shownLength;
  const part = line.slice(start, end).toWellFormed();
  if (end >= line.length) return `…${part}`;
  return `${start > 0 ? '…' : ''}${part}…${line.endsWith('\n') ? '\n' : ''}`;
}

/** The length of two lines' common prefix, at which long lines are cut; 0 if both are shown whole. */
function commonLength(one = '', other = ''): number {
  if (one.length <= maxLineLength && other.length <= maxLineLength) return 0;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function summary(changes: readonly LineChange[]): string {
  const removed = changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0);
  const added = changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0);
  return `… the diff is cut; in all ${removed} lines removed and ${added} added; a larger maxDiff shows more\n`;
}

function range(start: number, end: number): string {
  const count = end - start;
  // In the unified format, an empty range has the number of the line before it.
  return `${count ? start + 1 : start}${count === 1 ? '' : `,${count}`}`;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
