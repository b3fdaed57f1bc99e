import { displayName } from '../display-name.ts';
import { diffLines, type LineChange } from './diff-lines.ts';

const contextLines = 3;

/** The difference as `diff -u` prints it; empty when there is none. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const hunks = hunksOf(diffLines(oldLines, newLines)).map((hunk) => hunkText(hunk, oldLines, newLines));
  if (!hunks.length) return '';
  const name = displayName(path);
  return `--- ${name}\n+++ ${name}\n${hunks.join('')}`;
}

/** Groups changes whose context lines overlap. */
function hunksOf(changes: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const previous = hunks.at(-1)?.at(-1);
    if (previous && change.oldStart - previous.oldEnd <= 2 * contextLines) hunks.at(-1)!.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(
  changes: readonly LineChange[],
  oldLines: readonly string[],
  newLines: readonly string[],
): string {
  const first = changes[0]!;
  const last = changes.at(-1)!;
  const lead = Math.min(contextLines, first.oldStart);
  const oldStart = first.oldStart - lead;
  const newStart = first.newStart - lead;
  const oldEnd = Math.min(oldLines.length, last.oldEnd + contextLines);
  const newEnd = last.newEnd + (oldEnd - last.oldEnd);

  let body = '';
  let at = oldStart;
  for (const change of changes) {
    body += print(' ', oldLines.slice(at, change.oldStart));
    body += print('-', oldLines.slice(change.oldStart, change.oldEnd));
    body += print('+', newLines.slice(change.newStart, change.newEnd));
    at = change.oldEnd;
  }
  body += print(' ', oldLines.slice(at, oldEnd));
  return `@@ -${range(oldStart, oldEnd)} +${range(newStart, newEnd)} @@\n${body}`;
}

function range(start: number, end: number): string {
  const count = end - start;
  // The format names an empty range by the line before it.
  return `${count ? start + 1 : start}${count === 1 ? '' : `,${count}`}`;
}

function print(sign: string, lines: readonly string[]): string {
  return lines
    .map((line) => (line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`))
    .join('');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
