import type { Command } from '../../command.ts';
import { moveKeepingChanges } from '../../commands/refs/branches.ts';
import { commitHash, isReferenced } from '../../commands/objects/rev-parse.ts';
import { status } from '../../commands/work-tree/status.ts';
import { pathsBetween } from '../../commands/objects/tree-paths.ts';
import { noSuch } from '../../errors.ts';
import { branchOfHead, readTip } from '../../queries/operation/head.ts';
import { refuseDuringOperation } from '../../queries/operation/in-progress-operation.ts';
import type { Repository } from '../../repository.ts';
import { restoreHead } from '../integration/checkpoint.ts';
import { restoreWrittenFiles } from '../integration/restore-written-files.ts';

/**
 * Runs a command that checks out `revision`. If git is stopped, restores the files that it has changed
 * already. They had no local changes, because git does not overwrite local changes. The caller must hold the
 * lock.
 */
export async function checkOut(
  repository: Repository,
  command: Command<void>,
  revision: string,
): Promise<void> {
  const [{ branch, commit }, target] = await Promise.all([
    readTip(repository),
    repository.runLocked(commitHash(revision)),
  ]);
  await repository.undoIfStopped(
    () => repository.runLocked(command),
    async (uncancelled) => {
      if (commit === undefined || target === undefined) return;
      await restoreHead(uncancelled, { branch, commit });
      const differing = new Set(await uncancelled.runLocked(pathsBetween(commit, target)));
      const { entries } = await uncancelled.runLocked(status({ trusted: repository.trusted }));
      const changed = new Set(entries.map(({ path }) => path).filter((path) => !differing.has(path)));
      await restoreWrittenFiles(uncancelled, [target], { commit, changed });
    },
  );
}

/**
 * Moves the branch, or a detached HEAD, to a revision. Keeps local changes, staged ones too, unlike `git
 * reset --keep`. Throws if a local change would be overwritten. The caller must hold the lock.
 */
export async function resetKeeping(repository: Repository, revision: string): Promise<void> {
  refuseDuringOperation(await repository.layout());
  const [branch, commit] = await Promise.all([
    repository.runLocked(branchOfHead),
    repository.runLocked(commitHash(revision)),
  ]);
  if (commit === undefined) throw noSuch('revision', revision);
  await checkOut(repository, moveKeepingChanges(branch, commit), commit);
}

/** Returns the commit of HEAD if HEAD is detached, otherwise undefined. The caller must hold the lock. */
export async function detachedCommit(repository: Repository): Promise<string | undefined> {
  const branch = await repository.runLocked(branchOfHead);
  return branch === undefined ? repository.runLocked(commitHash('HEAD')) : undefined;
}

/**
 * Returns the commit `before` if HEAD has moved away from it and no branch or tag has it in its history. The
 * caller must hold the lock.
 */
export async function leftCommit(
  repository: Repository,
  before: string | undefined,
): Promise<string | undefined> {
  if (before === undefined || (await repository.runLocked(commitHash('HEAD'))) === before) return undefined;
  return (await repository.runLocked(isReferenced(before))) ? undefined : before;
}
