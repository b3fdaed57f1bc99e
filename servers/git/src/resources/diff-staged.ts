import { defineResource, textResourceContents } from '@mcp/protocol';
import { diff } from '../backend/commands/diff.ts';
import type { Git } from '../context.ts';
import { pageText } from '../text/page-text.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';

export const diffStaged = defineResource({
  uri: 'git://{repository}/diff/staged',
  name: 'diff-staged',
  title: 'Staged changes',
  description: 'Staged changes as a diff; the first page of a long one.',
  mimeType: 'text/x-diff',

  read: ({ repository }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) =>
      textResourceContents(uri, pageText(await found.run(diff({ of: 'staged' })), ''), 'text/x-diff'),
    ),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'staged', changed),
  list: ({ repositories }: Git) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'diff/staged'),
      name: `${each.name}: staged changes`,
      mimeType: 'text/x-diff',
    })),
  complete: { repository: completeRepository },
});
