import type * as safeGit from '@mcp/safe-git';
import type { Repository } from '@mcp/safe-git';
import { repositoryResource } from '../input/repository-resource.ts';

type SafeGit = typeof safeGit;

/** The resources for the state of a repository: a resource for each part of it, such as its status. */
export const states = [
  repositoryResource({
    path: 'status',
    title: 'Status',
    description: 'Staged, unstaged, untracked and conflicting files.',
    aspect: 'status',
    read: async (repository, { operationIn, status, statusText }) => {
      const found = await repository.run(status({ trusted: repository.trusted }));
      const operation = operationIn(await repository.layout());
      return statusText(found, operation, { more: () => 'git_status lists them in pages' });
    },
  }),
  repositoryResource({
    path: 'head',
    title: 'HEAD',
    description: 'The branch of HEAD, its commit, and the operation in progress.',
    mimeType: 'application/json',
    noun: 'HEAD',
    aspect: 'head',
    read: async (repository, { readHead }) => JSON.stringify(await readHead(repository), null, 2),
  }),
  repositoryResource({
    path: 'log{?limit}',
    title: 'Log',
    description: 'The commits of HEAD, newest first; limit defaults to 50.',
    aspect: 'log',
    read: (repository, git, { limit = '50' }) => readLog(repository, git, limit),
  }),
  repositoryResource({
    path: 'branches',
    title: 'Branches',
    description: 'Local and remote branches with their commits.',
    aspect: 'branches',
    read: (repository, git) => refsOf(repository, git, 'all', 'branch', 'branches'),
  }),
  repositoryResource({
    path: 'tags',
    title: 'Tags',
    description: 'Tags with the commits they name.',
    aspect: 'tags',
    read: (repository, git) => refsOf(repository, git, 'tags', 'tag', 'tags'),
  }),
  repositoryResource({
    path: 'diff/staged',
    title: 'Staged changes',
    description: 'Staged changes as a diff; the first page of a long one.',
    mimeType: 'text/x-diff',
    aspect: 'staged',
    read: async (repository, { diff, pageText }) =>
      pageText(await repository.run(diff({ of: 'staged' })), ''),
  }),
  repositoryResource({
    path: 'diff/unstaged',
    title: 'Unstaged changes',
    description: 'Changes in the work tree that are not staged, as a diff; the first page of a long one.',
    mimeType: 'text/x-diff',
    aspect: 'unstaged',
    read: async (repository, { diff, pageText }) =>
      pageText(await repository.run(diff({ of: 'unstaged' })), ''),
  }),
];

async function refsOf(
  repository: Repository,
  { maxRefs, readRefs, refsText }: SafeGit,
  kind: 'all' | 'tags',
  one: string,
  several: string,
) {
  const page = await readRefs(repository, { kind }, { offset: 0, limit: maxRefs });
  return refsText(page, one, several) + (page.total > maxRefs ? '; git_branch lists them in pages' : '');
}

const maxCommits = 1_000;

async function readLog(
  repository: Repository,
  { commitLine, countText, quoted, readLogPage }: SafeGit,
  limit: string,
): Promise<string> {
  const max = Number(limit);
  if (!Number.isInteger(max) || max < 1 || max > maxCommits)
    throw new Error(`Invalid limit: ${quoted(limit)}; expected 1 to ${maxCommits}`);
  const { commits, nextCursor } = await readLogPage(repository, { max }, undefined);
  if (commits.length === 0) return 'No commits';
  const end = nextCursor ? '… git_log lists more in pages' : countText(commits.length, 'commit');
  return [...commits.map(commitLine), end].join('\n');
}
