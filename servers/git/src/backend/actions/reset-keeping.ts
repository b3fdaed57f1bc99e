import { moveKeepingChanges } from '../commands/branches.ts';
import { commitHash } from '../commands/rev-parse.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import { branchOfHead } from '../queries/head.ts';
import { operationIn } from '../queries/in-progress-operation.ts';
import { checkOut } from './check-out.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Moves the branch, or the detached HEAD, to a revision with all local changes, staged or not.
 * Throws, and changes nothing, if they would be overwritten. `git reset --keep` would unstage them.
 * Runs inside `withLock`.
 */
export async function resetKeeping(
  repository: Repository,
  revision: string,
  call: CallOptions,
): Promise<void> {
  const current = operationIn(await repository.layout());
  if (current && current !== 'bisect')
    throw new Error(`A ${current} is in progress: continue or abort it first`);
  const [branch, commit] = await Promise.all([
    repository.runLocked(branchOfHead, call),
    repository.runLocked(commitHash(revision), call),
  ]);
  if (commit === undefined) throw missingError(missing('revision', revision), 128);
  await checkOut(repository, moveKeepingChanges(branch, commit), commit, { signal: call.signal });
}
