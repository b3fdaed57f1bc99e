import { quoted } from '../safe-text.ts';

/** Lines end with a line break; only the last line of a file may have none. */
interface Change {
  /** The number of the first removed line or, if no line was removed, of the old line after the insertion. */
  readonly oldStart: number;
  readonly removed: readonly string[];
  readonly newStart: number;
  readonly added: readonly string[];
}

/** The changes of one file. Lines have one character (latin1) for each byte. */
export interface FileDiff {
  readonly mode: string;
  /** The full hashes of the old and of the new content. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
}

/** Parses the diff of one file with `--unified=0 --full-index`; undefined if it changes no text. */
export function parseUnifiedZero(diff: string): FileDiff | undefined {
  const [, from, to, mode] = /^index ([0-9a-f]+)\.\.([0-9a-f]+) (\d{6})$/m.exec(diff) ?? [];
  if (from === undefined || to === undefined || mode === undefined) return undefined;
  const changes: { oldStart: number; removed: string[]; newStart: number; added: string[] }[] = [];
  let last: string[] | undefined;
  for (const line of diff.split('\n')) {
    const [, a, b = '1', c, d = '1'] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (a !== undefined) {
      // If one side of a hunk has no lines, git's header has the number of the line before the hunk.
      const oldStart = Number(a) + (b === '0' ? 1 : 0);
      changes.push({ oldStart, removed: [], newStart: Number(c) + (d === '0' ? 1 : 0), added: [] });
      continue;
    }
    const change = changes.at(-1);
    if (!change) continue;
    if (line.startsWith('-')) last = change.removed;
    else if (line.startsWith('+')) last = change.added;
    else {
      // The note "\ No newline at end of file" refers to the line before it: that line has no line break.
      if (line.startsWith('\\') && last) last.push(last.pop()!.slice(0, -1));
      continue;
    }
    last.push(`${line.slice(1)}\n`);
  }
  return changes.length === 0 ? undefined : { mode, from, to, changes };
}

/** A range of lines of the old (`-`) or the new (`+`) text. */
export interface LineRange {
  readonly sign: '-' | '+';
  readonly from: number;
  readonly to: number;
}

/** Applies the selected lines of a diff to the old text. Returns the new text, and how many were selected. */
export function selectChanges(
  { changes }: FileDiff,
  ranges: readonly LineRange[],
  oldText: string,
): { text: string; count: number } {
  const has = (sign: LineRange['sign'], line: number) =>
    ranges.some((range) => range.sign === sign && range.from <= line && line <= range.to);
  const old = oldText.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  let count = 0;
  for (const { oldStart, removed, newStart, added } of changes) {
    result.push(...old.slice(at, oldStart - 1));
    const kept = removed.filter((_, index) => !has('-', oldStart + index));
    const inserted = added.filter((_, index) => has('+', newStart + index));
    result.push(...kept, ...inserted);
    count += removed.length - kept.length + inserted.length;
    at = oldStart - 1 + removed.length;
  }
  result.push(...old.slice(at));
  // If only some lines are selected, a line without a line break may no longer be the last and needs one.
  const text = result.map((line, index) =>
    line.endsWith('\n') || index === result.length - 1 ? line : `${line}\n`,
  );
  return { text: text.join(''), count };
}

/** The diff that undoes this one. */
export function reversed({ mode, from, to, changes }: FileDiff): FileDiff {
  const back = changes.map(({ oldStart, removed, newStart, added }) => ({
    oldStart: newStart,
    removed: added,
    newStart: oldStart,
    added: removed,
  }));
  return { mode, from: to, to: from, changes: back };
}

/** The same lines in the diff that undoes this one. */
export function reversedRange({ sign, from, to }: LineRange): LineRange {
  return { sign: sign === '+' ? '-' : '+', from, to };
}

/** Returns the ranges of a hunk header, or of `+10-12` or `-7`. Throws for other text. */
export function parseRanges(selected: string): LineRange[] {
  const hunk = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(selected);
  if (hunk) {
    const [, a, b = '1', c, d = '1'] = hunk;
    return [
      { sign: '-', from: Number(a), to: Number(a) + Number(b) - 1 },
      { sign: '+', from: Number(c), to: Number(c) + Number(d) - 1 },
    ];
  }
  const [, sign, from, to = from] = /^([+-])(\d{1,9})(?:-(\d{1,9}))?$/.exec(selected) ?? [];
  if (sign === undefined || Number(to) < Number(from))
    throw new Error(`Invalid lines: ${quoted(selected)}; expected the @@ header of a hunk, "+10-12" or "-7"`);
  return [{ sign: sign === '+' ? '+' : '-', from: Number(from), to: Number(to) }];
}
