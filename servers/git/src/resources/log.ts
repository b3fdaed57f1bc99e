import { defineResource, textResourceContents } from '@mcp/protocol';
import { quoted } from '../backend/display-name.ts';
import { readLog } from '../backend/queries/log-page.ts';
import { commitLine } from '../text/commit-line.ts';
import type { Git } from '../context.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';

const usual = 50;
const most = 1_000;

/** The commits of HEAD. */
export const log = defineResource({
  uri: 'git://{repository}/log{?limit}',
  name: 'log',
  title: 'Log',
  description: `The commits of HEAD, newest first: ${usual} unless limit says otherwise.`,
  mimeType: 'text/plain',

  read: ({ repository, limit }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) => {
      const { commits } = await readLog(found, { max: count(limit) }, undefined);
      return textResourceContents(uri, commits.map(commitLine).join('\n') || 'No commits', 'text/plain');
    }),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'log', changed),
  list: ({ repositories }: Git) =>
    repositories.named.map((each) => ({
      uri: uriOf(each, 'log'),
      name: `${each.name}: log`,
      mimeType: 'text/plain',
    })),
  complete: { repository: completeRepository },
});

function count(limit: string | undefined): number {
  if (limit === undefined) return usual;
  const value = Number(limit);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`Not a limit: ${quoted(limit)}; accepted is 1 to ${most}`);
}
