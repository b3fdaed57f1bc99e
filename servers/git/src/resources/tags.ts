import { defineResource, textResourceContents } from '@mcp/protocol';
import { readRefs } from '../backend/queries/refs-page.ts';
import type { Git } from '../context.ts';
import { maxRefs, refsText } from '../text/refs-text.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';

export const tags = defineResource({
  uri: 'git://{repository}/tags',
  name: 'tags',
  title: 'Tags',
  description: 'Tags with the commits they name.',
  mimeType: 'text/plain',

  read: ({ repository }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) =>
      textResourceContents(
        uri,
        refsText(await readRefs(found, { kind: 'tags' }, { offset: 0, limit: maxRefs }), 'tag', 'tags'),
        'text/plain',
      ),
    ),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'tags', changed),
  list: ({ repositories }: Git) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'tags'),
      name: `${each.name}: tags`,
      mimeType: 'text/plain',
    })),
  complete: { repository: completeRepository },
});
