import { defineResource, textResourceContents } from '@mcp/protocol';
import { readRefs } from '../backend/queries/refs-page.ts';
import type { Git } from '../context.ts';
import { maxRefs, refsText } from '../text/refs-text.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';

/** Local and remote branches. */
export const branches = defineResource({
  uri: 'git://{repository}/branches',
  name: 'branches',
  title: 'Branches',
  description: 'Local and remote branches with their commits.',
  mimeType: 'text/plain',

  read: ({ repository }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) =>
      textResourceContents(
        uri,
        refsText(await readRefs(found, { kind: 'all' }, { offset: 0, limit: maxRefs }), 'branch', 'branches'),
        'text/plain',
      ),
    ),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'branches', changed),
  list: ({ repositories }: Git) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'branches'),
      name: `${each.name}: branches`,
      mimeType: 'text/plain',
    })),
  complete: { repository: completeRepository },
});
