import {
  type Call,
  defineResource,
  type ListedResource,
  type ResourceCall,
  textResourceContents,
} from '@mcp/protocol';
import type { Git } from '../context.ts';
import { completeRepository, completeRevision, readIn, uriOf } from '../input/repository-uri.ts';

/** Maximum number of branches, and of tags, that are listed for each repository. */
const maxListed = 50;

/** A commit with its diff. The commits of branches and tags are listed. */
export const commit = defineResource({
  uri: 'git://{repository}/commit/{revision}',
  name: 'commit',
  title: 'Commit',
  description: 'A commit with its message and its diff; a slash in the revision is written %2F.',
  mimeType: 'text/x-diff',

  read: ({ repository, revision }, { context: git, uri }: ResourceCall<Git>) =>
    readIn(uri, repository, git, async (found) => {
      const { checkRevision, commitPageText, firstCommitPage } = await import('@mcp/safe-git');
      const page = await firstCommitPage(found, checkRevision(revision));
      return textResourceContents(uri, commitPageText(page), 'text/x-diff');
    }),

  list: ({ context: { repositories } }: Call<Git>) => tips(repositories),
  async watchList(changed, { context: { repositories } }: Call<Git>) {
    const { watcher } = repositories;
    const stops = await Promise.all(repositories.listed.map((each) => watcher.watch(each, 'refs', changed)));
    return () => stops.forEach((stop) => stop());
  },

  complete: {
    repository: completeRepository,
    revision: completeRevision,
  },
});

async function* tips(repositories: Git['repositories']): AsyncGenerator<ListedResource> {
  const { refNames, shortRefName } = await import('@mcp/safe-git');
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
