import { commitHash, isReferenced } from '../commands/rev-parse.ts';
import { branchOfHead } from '../queries/head.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** The commit of HEAD, if it is detached. Runs inside `withLock`. */
export async function detachedCommit(repository: Repository, call: CallOptions): Promise<string | undefined> {
  const branch = await repository.runLocked(branchOfHead, call);
  return branch === undefined ? repository.runLocked(commitHash('HEAD'), call) : undefined;
}

/**
 * The former commit of a detached HEAD that has moved, if no branch or tag has it. Runs inside `withLock`.
 */
export async function leftCommit(
  repository: Repository,
  before: string | undefined,
): Promise<string | undefined> {
  if (before === undefined || (await repository.runLocked(commitHash('HEAD'))) === before) return undefined;
  return (await repository.runLocked(isReferenced(before))) ? undefined : before;
}
