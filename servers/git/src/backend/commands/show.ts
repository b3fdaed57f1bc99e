import type { Command } from '../command.ts';
import { diffOptions } from './diff.ts';
import { paged, type Page } from './text-page.ts';

// Only a message has lines of an author's making, and all of them are indented.
const format =
  'tformat:commit %H%nParents: %P%nAuthor: %an <%ae>%nAuthorDate: %aI%nCommit: %cn <%ce>%nCommitDate: %cI%n%n%w(0,4,4)%B';

/** A commit with its diff to its first parent, or a tag, directory or file as it is. */
export function show(name: string, contextLines = 3, cursor?: string): Command<Page> {
  return paged(
    {
      args: [
        'show',
        `--format=${format}`,
        '--no-show-signature',
        '--no-notes',
        '--encoding=UTF-8',
        '--diff-merges=first-parent',
        ...diffOptions,
        `--unified=${contextLines}`,
        '--numstat',
        '--patch',
        '--end-of-options',
        name,
        '--',
      ],
    },
    cursor,
  );
}
