import { existsSync } from 'node:fs';
import { hasSubmodules } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import { notLinked, worktreeList, worktreeRemove } from '../commands/worktrees.ts';
import { missingError } from '../errors.ts';
import type { Repositories } from '../repositories.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Removes a linked work tree; unless forced, only one without changes. Git would check for changes itself,
 * but with the work tree's own configuration, which the repository's overrides do not cover.
 */
export async function removeWorktree(
  repositories: Repositories,
  repository: Repository,
  { path, force }: { path: string; force: boolean },
  call: CallOptions,
): Promise<void> {
  const absolute = repositories.allowed.newPath(path);
  if (!existsSync(absolute)) return removeMissing(repository, absolute, call);
  const tree = repositories.at(path);
  const { commonDir } = await repository.layout();
  const found = await tree.layout();
  if (found.top !== tree.root || found.gitDir === found.commonDir || found.commonDir !== commonDir)
    throw missingError(notLinked(path));
  await repository.withLock(async () => {
    if (!force) await assertUnchanged(tree, call);
    await repository.runLocked(worktreeRemove(tree.root), call);
  });
}

/** Removes the administrative files of a work tree whose directory was deleted. */
async function removeMissing(repository: Repository, path: string, call: CallOptions): Promise<void> {
  await repository.withLock(async () => {
    const trees = await repository.runLocked(worktreeList, call);
    if (!trees.some((tree) => tree.path === path)) throw missingError(notLinked(path));
    await repository.runLocked(worktreeRemove(path), call);
  });
}

async function assertUnchanged(tree: Repository, call: CallOptions): Promise<void> {
  const { entries } = await tree.runLocked(status({ trusted: tree.trusted }), call);
  if (entries.length > 0)
    throw new Error('The work tree has changes that would be lost; force removes it anyway');
  if (await tree.runLocked(hasSubmodules(['.']), call))
    throw new Error('The work tree has submodules in it; force removes it anyway');
}
