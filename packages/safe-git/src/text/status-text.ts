import type { Status, StatusEntry } from '../commands/work-tree/status.ts';
import { fittingLines } from './bounds.ts';
import { countText } from './count-text.ts';
import { escapeName, listedPath } from '../safe-text.ts';
import type { Operation } from '../queries/operation/in-progress-operation.ts';

const letters = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  'type-changed': 'T',
} as const;

const entriesPerPage = 1_000;

interface StatusPage {
  readonly start?: number;
  /** Maximum number of files. */
  readonly max?: number | undefined;
  /** Returns the text that tells the client how to read the page at a cursor. */
  readonly more: (cursor: string) => string;
}

/** The files on a page of a status. */
export function shownEntries(
  entries: readonly StatusEntry[],
  { start, max = entriesPerPage }: { readonly start: number; readonly max?: number | undefined },
): readonly StatusEntry[] {
  const page = entries.slice(start, start + Math.min(max, entriesPerPage));
  return page.slice(0, fittingLines(page.map(entryLine)));
}

/** A page in the form of `git status --short`. */
export function statusText(
  { branch, stashes, entries }: Status,
  operation: Operation | undefined,
  { start = 0, more, max = entriesPerPage }: StatusPage,
): string {
  const where = branch.head === undefined ? 'HEAD detached' : `On ${escapeName(branch.head)}`;
  const at = branch.oid === undefined ? ', no commit yet' : ` at ${branch.oid.slice(0, 10)}`;
  const upstream =
    branch.upstream === undefined
      ? ''
      : `, ${branch.ahead ?? '?'} ahead and ${branch.behind ?? '?'} behind ${escapeName(branch.upstream)}`;
  const shown = shownEntries(entries, { start, max });
  const lines = shown.map(entryLine);
  const end = start + lines.length;
  return [
    where + at + upstream,
    ...(operation ? [`In progress: ${operation}`] : []),
    ...(stashes > 0 ? [`Stashes: ${stashes}`] : []),
    entries.length === 0 ? 'Nothing to commit, the work tree is clean' : `Changed files: ${entries.length}`,
    ...lines,
    ...(end < entries.length ? [`… ${entries.length} in total; ${more(String(end))}`] : []),
  ].join('\n');
}

/** Says how many files were staged. `entries` are their states before that. */
export function stagedText(entries: readonly StatusEntry[]): string {
  if (entries.length === 0) return 'Nothing to stage: no file differs from what is staged';
  const counts = { new: 0, modified: 0, deleted: 0, 'formerly in conflict': 0 };
  for (const { unstaged, untracked, conflict } of entries) {
    if (conflict !== undefined) counts['formerly in conflict']++;
    else if (untracked || unstaged === 'added') counts.new++;
    else counts[unstaged === 'deleted' ? 'deleted' : 'modified']++;
  }
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return `Staged ${countText(entries.length, 'file')} (${parts.map(([what, count]) => `${count} ${what}`).join(', ')})`;
}

/** The numbers of files that still have changes, such as `2 staged, 1 untracked`. */
export function remainingText(entries: readonly StatusEntry[]): string {
  const counts = {
    'in conflict': entries.filter(({ conflict }) => conflict !== undefined),
    staged: entries.filter(({ staged }) => staged !== undefined),
    'not staged': entries.filter(({ unstaged }) => unstaged !== undefined),
    untracked: entries.filter(({ untracked }) => untracked),
  };
  const parts = Object.entries(counts).filter(([, { length }]) => length > 0);
  return parts.length === 0 ? 'clean' : parts.map(([what, { length }]) => `${length} ${what}`).join(', ');
}

function entryLine(entry: StatusEntry): string {
  const { path, from, staged, unstaged, untracked, conflict, submodule, modes } = entry;
  const sides =
    conflict ?? (untracked ? '??' : `${staged ? letters[staged] : ' '}${unstaged ? letters[unstaged] : ' '}`);
  const notes = [...(submodule ? ['submodule'] : []), ...(modes === undefined ? [] : [modes])];
  return [
    sides,
    ...(from === undefined ? [] : [listedPath(from), '->']),
    listedPath(path),
    ...(notes.length === 0 ? [] : [`(${notes.join(', ')})`]),
  ].join(' ');
}
