import type { TreeEntry } from '../commands/objects/cat-file.ts';
import { listedPath } from '../safe-text.ts';
import type { CommitPage } from '../parse/commit-page-reader.ts';
import type { ShownObject } from '../queries/history/show-object.ts';
import { commitText, tagText } from './commit-text.ts';
import { countText, pageText } from './count-text.ts';

/** A page of a commit as text; the first page starts with the commit itself. */
export function commitPageText({ commit, diff }: CommitPage, isFirst = true): string {
  const text = pageText(diff, '');
  if (!isFirst) return text;
  return text === '' ? commitText(commit) : `${commitText(commit)}\n\n${text}`;
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

/** How many names a directory of a revision has, and the names, one per line; at most 2,000. */
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
