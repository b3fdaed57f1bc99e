import { defineResource, textResourceContents } from '@mcp/protocol';
import { readHead } from '../backend/queries/head.ts';
import type { Git } from '../context.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';

/** HEAD: its branch, its commit and the operation in progress. */
export const head = defineResource({
  uri: 'git://{repository}/head',
  name: 'head',
  title: 'HEAD',
  description: 'The branch of HEAD, its commit, and the operation in progress.',
  mimeType: 'application/json',

  read: ({ repository }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) =>
      textResourceContents(uri, JSON.stringify(await readHead(found), null, 2), 'application/json'),
    ),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'head', changed),
  list: ({ repositories }: Git) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'head'),
      name: `${each.name}: HEAD`,
      mimeType: 'application/json',
    })),
  complete: { repository: completeRepository },
});
