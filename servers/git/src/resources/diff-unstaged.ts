import { defineResource, textResourceContents } from '@mcp/protocol';
import { diff } from '../backend/commands/diff.ts';
import type { Git } from '../context.ts';
import { pageText } from '../text/page-text.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';

export const diffUnstaged = defineResource({
  uri: 'git://{repository}/diff/unstaged',
  name: 'diff-unstaged',
  title: 'Unstaged changes',
  description: 'Changes in the work tree that are not staged, as a diff; the first page of a long one.',
  mimeType: 'text/x-diff',

  read: ({ repository }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) =>
      textResourceContents(uri, pageText(await found.run(diff({ of: 'unstaged' })), ''), 'text/x-diff'),
    ),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'unstaged', changed),
  list: ({ repositories }: Git) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'diff/unstaged'),
      name: `${each.name}: unstaged changes`,
      mimeType: 'text/x-diff',
    })),
  complete: { repository: completeRepository },
});
