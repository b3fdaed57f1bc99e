import { type Call, type CompletionCall, ResourceNotFound } from '@mcp/protocol';
import { type Aspect, noRepositoryAllowedError, NotFoundError, type Repository } from '@mcp/safe-git';
import type { Git } from '../context.ts';
import { withRemedy } from './remedy.ts';

/** The repository that a URI names. Throws `ResourceNotFound` if there is none. */
function repositoryIn(uri: string, name: string, { repositories }: Git): Repository {
  if (repositories.allowed.isEmpty) throw withRemedy(noRepositoryAllowedError());
  const repository = repositories.byName(name);
  if (!repository) throw new ResourceNotFound(uri);
  return repository;
}

/**
 * Reads something in the repository that a URI names. If it does not exist, throws a `ResourceNotFound` whose
 * message has the most similar names.
 */
export async function readIn<Result>(
  uri: string,
  name: string,
  git: Git,
  read: (repository: Repository) => Promise<Result>,
): Promise<Result> {
  const repository = repositoryIn(uri, name, git);
  try {
    return await read(repository);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw withRemedy(error);
    const { withNearestNames } = await import('@mcp/safe-git');
    const { message } = await withNearestNames(repository, error);
    throw new ResourceNotFound(uri, message, { cause: error });
  }
}

/** Watches one aspect of the repository that a URI names. */
export function watchIn(uri: string, name: string, git: Git, aspect: Aspect, changed: () => void) {
  return git.repositories.watcher.watch(repositoryIn(uri, name, git), aspect, changed);
}

export function completeRepository(typed: string, call: Call<Git>): string[] {
  return call.context.repositories.names.filter((name) => name.startsWith(typed));
}

/** Completes a variable of a URI in the repository that it names, or else in the first one. */
export function completeIn(
  complete: (
    repository: Repository,
    typed: string,
    variables: { readonly [name: string]: string | undefined },
  ) => Promise<string[]>,
) {
  return async (typed: string, { context: { repositories }, arguments: variables }: CompletionCall<Git>) => {
    const found = repositories.byName(variables['repository'] ?? '') ?? repositories.listed[0];
    return found ? complete(found, typed, variables) : [];
  };
}

/** Completes a variable of a URI with the names of branches and tags. */
export const completeRevision = completeIn(async (repository, typed) =>
  (await import('@mcp/safe-git')).completeRevision(repository, typed),
);

export function uriOf({ name }: Repository, rest: string): string {
  return `git://${encodeURIComponent(name)}/${rest}`;
}
