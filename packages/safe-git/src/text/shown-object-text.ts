import type { TreeEntry } from '../commands/objects/cat-file.ts';
import { listedPath } from '../safe-text.ts';
import type { CommitPage } from '../parse/commit-page-reader.ts';
import { readUntrackedOfStash, type ShownObject } from '../queries/history/show-object.ts';
import type { ShowOptions } from '../commands/history/show.ts';
import type { Repository } from '../repository.ts';
import { commitText, tagText } from './commit-text.ts';
import { maxAnswer } from './bounds.ts';
import { countText, pageText } from './count-text.ts';

/** A page of a commit as text. Only the first page starts with the commit's header and message. */
export function commitPageText({ commit, diff }: CommitPage, isFirst = true): string {
  const text = pageText(diff, '');
  if (!isFirst) return text;
  if (text === '') return commitText(commit);
  // The diff is shown in full. A message that does not fit into the rest of the answer is cut.
  const head = commitText(commit);
  const room = maxAnswer - text.length - 100;
  return `${head.length > room ? `${head.slice(0, room)}…` : head}\n\n${text}`;
}

export function shownObjectText({ tags, target }: ShownObject, isFirst: boolean): string {
  const shown =
    target.kind === 'commit'
      ? commitPageText(target.page, isFirst)
      : target.kind === 'directory'
        ? directoryText(target.entries) || 'Empty directory'
        : pageText(target.page, 'Empty');
  return [...(isFirst ? tags.map(tagText) : []), shown].join('\n\n');
}

const maxEntries = 2_000;

/** The number of names in a directory of a revision, and at most 2,000 of the names, one per line. */
export function directoryText(entries: readonly TreeEntry[]): string {
  if (entries.length === 0) return '';
  const lines = entries
    .slice(0, maxEntries)
    .map(({ name, kind }) => listedPath(name) + (kind === 'directory' ? '/' : ''));
  const count = countText(entries.length, 'entry', 'entries');
  return [
    `${count}${entries.length > maxEntries ? `, of which the first ${maxEntries}` : ''}:`,
    ...lines,
  ].join('\n');
}

/**
 * Returns text for the last page of a stash: its untracked files or, if they are too long, their commit.
 * Undefined for other pages and objects, and for a stash without such files.
 */
export async function untrackedOfStash(
  repository: Repository,
  { target }: ShownObject,
  options: ShowOptions,
): Promise<string | undefined> {
  if (target.kind !== 'commit' || target.page.diff.nextCursor !== undefined) return undefined;
  const { commit, diff } = target.page;
  const page = await readUntrackedOfStash(repository, commit, { ...options, cursor: undefined });
  if (page === undefined || page.text === '') return undefined;
  const name = commit.parents[2]!.slice(0, 10);
  const rest = `the untracked files of the stash are the commit ${name}`;
  const fits = page.nextCursor === undefined && page.text.length + diff.text.length < maxAnswer / 2;
  return fits ? `Untracked files of the stash:\n${page.text}` : `… ${rest}`;
}
