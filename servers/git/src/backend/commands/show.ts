import type { Command } from '../command.ts';
import { plainCommits } from './commit-format.ts';
import { diffOptions } from './diff.ts';
import type { TextPage } from './text-page-reader.ts';
import { paged } from './text-page.ts';

// The message is indented, so that its lines cannot be taken for headers.
const format =
  'tformat:commit %H%nParents: %P%nAuthor: %an <%ae>%nAuthorDate: %ad%nCommit: %cn <%ce>%nCommitDate: %cd%n%n%w(0,4,4)%B';

/** A page of a commit with its diff to its first parent, or of a tag, a directory or a file. */
export function show(
  name: string,
  {
    contextLines = 3,
    cursor,
    stat,
  }: { contextLines?: number; cursor?: string | undefined; stat?: boolean } = {},
): Command<TextPage> {
  return paged(
    {
      args: [
        'show',
        `--format=${format}`,
        ...plainCommits,
        '--diff-merges=first-parent',
        ...diffOptions,
        '--numstat',
        ...(stat ? [] : ['--patch', `--unified=${contextLines}`]),
        '--end-of-options',
        name,
        '--',
      ],
    },
    cursor,
  );
}
