import { existsSync } from 'node:fs';
import { isReferenced } from '../commands/rev-parse.ts';
import { hasIgnoredFiles, hasSubmodules } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import { notLinked, worktreeList, worktreeRemove } from '../commands/worktrees.ts';
import { missingError } from '../errors.ts';
import { operationIn } from '../queries/in-progress-operation.ts';
import type { Repositories } from '../repositories.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** A linked work tree that may be removed: its repository; undefined if its directory is gone. */
export interface RemovableWorktree {
  readonly path: string;
  readonly tree: Repository | undefined;
  /** Whether something would be lost that nothing else keeps. */
  readonly loses: boolean;
}

/**
 * Finds a linked work tree; unless forced, only one without changes. Git would check for changes itself, but
 * with the work tree's own configuration, which the repository's overrides do not cover.
 */
export async function removableWorktree(
  repositories: Repositories,
  repository: Repository,
  { path, force }: { path: string; force: boolean },
  call: CallOptions,
): Promise<RemovableWorktree> {
  const absolute = repositories.allowed.newPath(path);
  if (!existsSync(absolute)) {
    const trees = await repository.run(worktreeList, call);
    if (!trees.some((tree) => tree.path === absolute)) throw missingError(notLinked(path));
    return { path: absolute, tree: undefined, loses: false };
  }
  const tree = repositories.at(path);
  const { commonDir } = await repository.layout();
  const found = await tree.layout();
  if (found.top !== tree.root || found.gitDir === found.commonDir || found.commonDir !== commonDir)
    throw missingError(notLinked(path));
  if (!force) await assertUnchanged(tree, call);
  return { path: tree.root, tree, loses: await losesSomething(tree, call) };
}

/** Removes a work tree with all its files; unless forced, only one that is still without changes. */
export function removeWorktree(
  repository: Repository,
  { path, tree }: RemovableWorktree,
  { force }: { force: boolean },
  call: CallOptions,
): Promise<void> {
  return repository.withLock(async () => {
    if (tree && !force) await assertUnchanged(tree, call);
    await repository.runLocked(worktreeRemove(path), call);
  });
}

/** Changes, ignored files, an operation in progress, or commits that no branch and no tag has. */
async function losesSomething(tree: Repository, call: CallOptions): Promise<boolean> {
  const [{ branch, entries }, ignored] = await Promise.all([
    tree.run(status({ trusted: tree.trusted }), call),
    tree.run(hasIgnoredFiles, call),
  ]);
  if (entries.length > 0 || ignored || operationIn(await tree.layout()) !== undefined) return true;
  return (
    branch.head === undefined && branch.oid !== undefined && !(await tree.run(isReferenced(branch.oid), call))
  );
}

async function assertUnchanged(tree: Repository, call: CallOptions): Promise<void> {
  const { entries } = await tree.run(status({ trusted: tree.trusted }), call);
  if (entries.length > 0)
    throw new Error('The work tree has changes that would be lost; force removes it anyway');
  if (await tree.run(hasSubmodules(['.']), call))
    throw new Error('The work tree has submodules in it; force removes it anyway');
}
