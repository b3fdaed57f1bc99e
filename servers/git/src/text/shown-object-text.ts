import type { CommitPage } from '../backend/commands/commit-page-reader.ts';
import type { ShownObject } from '../backend/queries/show-object.ts';
import { commitText } from './commit-text.ts';
import { directoryText } from './directory-text.ts';
import { pageText } from './page-text.ts';
import { tagText } from './tag-text.ts';

/** The first page has the commit itself. */
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
