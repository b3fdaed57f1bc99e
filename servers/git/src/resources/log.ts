import { defineResource, textResourceContents } from '@mcp/protocol';
import { quoted } from '../backend/display-name.ts';
import { readLogPage } from '../backend/queries/log-page.ts';
import { commitLine } from '../text/commit-line.ts';
import { countText } from '../text/count-text.ts';
import type { Git } from '../context.ts';
import { completeRepository, readIn, uriOf, watchIn } from '../input/repository-uri.ts';

const defaultLimit = 50;
const maxLimit = 1_000;

/** The commits of HEAD. */
export const log = defineResource({
  uri: 'git://{repository}/log{?limit}',
  name: 'log',
  title: 'Log',
  description: `The commits of HEAD, newest first; limit defaults to ${defaultLimit}.`,
  mimeType: 'text/plain',

  read: ({ repository, limit }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) => {
      const { commits, nextCursor } = await readLogPage(found, { max: count(limit) }, undefined);
      const end =
        nextCursor === undefined ? countText(commits.length, 'commit') : '… git_log lists more in pages';
      const text = commits.length === 0 ? 'No commits' : [...commits.map(commitLine), end].join('\n');
      return textResourceContents(uri, text, 'text/plain');
    }),
  watch: ({ repository }, changed, git: Git, { uri }) => watchIn(uri, repository, git, 'log', changed),
  list: ({ repositories }: Git) =>
    repositories.listed.map((each) => ({
      uri: uriOf(each, 'log'),
      name: `${each.name}: log`,
      mimeType: 'text/plain',
    })),
  complete: { repository: completeRepository },
});

function count(limit: string | undefined): number {
  if (limit === undefined) return defaultLimit;
  const value = Number(limit);
  if (Number.isInteger(value) && value >= 1 && value <= maxLimit) return value;
  throw new Error(`Invalid limit: ${quoted(limit)}; expected 1 to ${maxLimit}`);
}
