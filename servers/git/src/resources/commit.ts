import { defineResource, type ListedResource, textResourceContents } from '@mcp/protocol';
import { refNames, shortRefName } from '../backend/commands/refs.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { firstCommitPage } from '../backend/queries/show-commit.ts';
import { completeRevision } from '../backend/queries/completions.ts';
import type { Git } from '../context.ts';
import { commitPageText } from '../text/shown-object-text.ts';
import { completeRepository, readIn, uriOf } from '../input/repository-uri.ts';

/** The number of branches, and of tags, that are listed for each repository. */
const maxListed = 50;

/** A commit with its diff. The commits of branches and tags are listed. */
export const commit = defineResource({
  uri: 'git://{repository}/commit/{revision}',
  name: 'commit',
  title: 'Commit',
  description: 'A commit with its message and its diff; a slash in the revision is written %2F.',
  mimeType: 'text/x-diff',

  read: ({ repository, revision }, git: Git, { uri }) =>
    readIn(uri, repository, git, async (found) => {
      const page = await firstCommitPage(found, checkRevision(revision));
      return textResourceContents(uri, commitPageText(page), 'text/x-diff');
    }),

  list: ({ repositories }: Git) => tips(repositories),
  async watchList(changed, { repositories }: Git) {
    const { watcher } = repositories;
    const stops = await Promise.all(repositories.listed.map((each) => watcher.watch(each, 'refs', changed)));
    return () => stops.forEach((stop) => stop());
  },

  complete: {
    repository: completeRepository,
    revision: async (typed, { repositories }: Git, { arguments: { repository = '' } }) => {
      const found = repositories.byName(repository) ?? repositories.listed[0];
      return found ? completeRevision(found, typed) : [];
    },
  },
});

async function* tips(repositories: Git['repositories']): AsyncGenerator<ListedResource> {
  for (const repository of repositories.listed) {
    for (const kind of ['local', 'tags'] as const) {
      const found = await repository.run(refNames({ kind })).catch(() => []);
      for (const name of found.slice(0, maxListed).map(shortRefName)) {
        const noun = kind === 'local' ? 'branch' : 'tag';
        yield {
          uri: uriOf(repository, `commit/${encodeURIComponent(name)}`),
          name: `${repository.name}: ${noun} ${name}`,
          mimeType: 'text/x-diff',
        };
      }
    }
  }
}
