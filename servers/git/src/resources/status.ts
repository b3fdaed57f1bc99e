import { defineResource, textResourceContents } from '@mcp/protocol';
import { status as statusCommand } from '../backend/commands/status.ts';
import { operationIn } from '../backend/queries/in-progress-operation.ts';
import type { Git } from '../context.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';
import { statusText } from '../text/status-text.ts';

/** Staged, unstaged, untracked and conflicting files. */
export const status = defineResource({
  uri: 'git://{repository}/status',
  name: 'status',
  title: 'Status',
  description: 'Staged, unstaged, untracked and conflicting files.',
  mimeType: 'text/plain',

  read: ({ repository }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) => {
      const read = await found.run(statusCommand({ trusted: found.trusted }));
      const operation = operationIn(await found.layout());
      const more = 'git_status lists them in pages';
      return textResourceContents(uri, statusText(read, operation, { more }), 'text/plain');
    }),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'status', changed),
  list: ({ repositories }: Git) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'status'),
      name: `${each.name}: status`,
      mimeType: 'text/plain',
    })),
  complete: { repository: completeRepository },
});
