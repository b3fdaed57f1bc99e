import { existsSync } from 'node:fs';
import { branchExists, deleteBranches } from '../../commands/refs/branches.ts';
import { isReferenced } from '../../commands/objects/rev-parse.ts';
import { hasIgnoredFiles, hasSubmodules, reset } from '../../commands/work-tree/staging.ts';
import { status } from '../../commands/work-tree/status.ts';
import {
  notLinked,
  worktreeAdd,
  type WorktreeAddOptions,
  worktreeList,
  worktreeMove,
  worktreeRemove,
} from '../../commands/work-tree/worktrees.ts';
import { missingError } from '../../errors.ts';
import { GitStoppedError } from '../../process/git-process.ts';
import { operationIn } from '../../queries/operation/in-progress-operation.ts';
import { allWork } from '../../queries/files/discarded-work.ts';
import { unseenChanges } from '../../queries/files/unseen-changes.ts';
import { type DiscardedWork, keepBefore, reasonNotKept } from '../kept/keep-work.ts';
import type { Repositories } from '../../repositories.ts';
import { quoted } from '../../safe-text.ts';
import type { Repository } from '../../repository.ts';

/**
 * Adds a work tree. If that fails, removes it and its new branch. The configuration of the work tree is
 * checked before its files are checked out, because a work tree can have settings of its own.
 */
export async function addWorktree(
  repositories: Repositories,
  repository: Repository,
  options: WorktreeAddOptions,
): Promise<void> {
  const { branch, path } = options;
  await repository.withLock(async () => {
    const existed = branch !== undefined && (await repository.runLocked(branchExists(branch)));
    const isNew = !existsSync(path);
    let added = false;
    try {
      await repository.runLocked(worktreeAdd(options));
      added = true;
      await repositories.at(path, repository.call).runLocked(reset('hard'));
    } catch (error) {
      // A stopped git may have added the work tree. A directory that already existed is not removed.
      if (added || (isNew && error instanceof GitStoppedError))
        await repository.uncancelled.runLocked(worktreeRemove(path)).catch(() => {});
      // Git creates the branch first, and does not remove it if a later step fails.
      if (branch !== undefined && !existed)
        await repository.uncancelled.runLocked(deleteBranches([branch], true)).catch(() => {});
      throw error;
    }
  });
}

/** Moves a linked work tree. The caller must have checked that `to` is inside the allowed directories. */
export async function moveWorktree(
  repositories: Repositories,
  repository: Repository,
  { path, to }: { readonly path: string; readonly to: string },
): Promise<void> {
  const found = await removableWorktree(repositories, repository, { path, force: true });
  if (found.tree === undefined) throw missingError(notLinked(path));
  if (existsSync(to)) throw new Error(`The path already exists: ${quoted(to)}`);
  await repository.run(worktreeMove(found.path, to));
}

/**
 * A linked work tree. `tree` is the `Repository` opened in it; undefined if the work tree's directory is
 * missing.
 */
export interface RemovableWorktree {
  readonly path: string;
  readonly tree: Repository | undefined;
  /** What the removal discards: files, an operation or commits that exist nowhere else. */
  readonly discards?: DiscardedWork;
  readonly why?: string | undefined;
  /** The branch of the work tree or, if HEAD is detached, its commit. */
  readonly revision?: string | undefined;
}

/**
 * Returns what {@link removeWorktree} needs to remove the work tree at a path. Unless `force`, throws if the
 * work tree has changes. Git's own check is not used: it runs `git status` in the work tree, whose own
 * settings may name programs that git would then run.
 */
export async function removableWorktree(
  repositories: Repositories,
  repository: Repository,
  { path, force }: { path: string; force: boolean },
): Promise<RemovableWorktree> {
  const absolute = repositories.allowed.newPath(path);
  if (!existsSync(absolute)) {
    const trees = await repository.run(worktreeList);
    if (!trees.some((tree) => tree.path === absolute)) throw missingError(notLinked(path));
    return { path: absolute, tree: undefined };
  }
  const tree = repositories.at(path);
  const { commonDir } = await repository.layout();
  const found = await tree.layout();
  if (found.top !== tree.root || found.gitDir === found.commonDir || found.commonDir !== commonDir)
    throw missingError(notLinked(path));
  if (!force) await assertUnchanged(tree);
  return { path: tree.root, tree, ...(await lossOf(tree)) };
}

/**
 * Removes a work tree. Unless `force`, throws if the work tree has changes. Stores its changes, but not its
 * ignored files, in a commit, and returns the hash of the commit.
 */
export function removeWorktree(
  repository: Repository,
  { path, tree, discards }: RemovableWorktree,
  { force }: { force: boolean },
): Promise<string | undefined> {
  return repository.withLock(async () => {
    if (tree && !force) await assertUnchanged(tree);
    const work = tree && discards && (await allWork(tree));
    const canKeep = work && (await reasonNotKept(tree, work)) === undefined;
    const remove = () => repository.runLocked(worktreeRemove(path));
    // `remove` may delete the directory of `tree`: `keepBefore` needs it before and, later, only if `remove`
    // has failed.
    if (canKeep) return keepBefore(tree, work, 'removing a work tree', remove);
    await remove();
    return undefined;
  });
}

async function lossOf(tree: Repository): Promise<Pick<RemovableWorktree, 'discards' | 'why' | 'revision'>> {
  const [{ branch, entries }, unseen, ignored, submodules] = await Promise.all([
    tree.run(status({ trusted: tree.trusted })),
    unseenChanges(tree, ['.'], { skipped: true }),
    tree.run(hasIgnoredFiles),
    tree.run(hasSubmodules(['.'])),
  ]);
  const isLeft =
    branch.head === undefined && branch.oid !== undefined && !(await tree.run(isReferenced(branch.oid)));
  const revision = branch.head ?? branch.oid;
  const isChanged =
    entries.length + unseen.length > 0 || operationIn(await tree.layout()) !== undefined || isLeft;
  if (!isChanged && !ignored) return { revision };
  const discards = await allWork(tree);
  const reason = isChanged ? await reasonNotKept(tree, discards) : undefined;
  const notKept = submodules ? 'submodules are not kept' : ignored ? 'ignored files are not kept' : undefined;
  return { discards, revision, why: reason ?? notKept };
}

async function assertUnchanged(tree: Repository): Promise<void> {
  const { entries } = await tree.run(status({ trusted: tree.trusted }));
  const unseen = await unseenChanges(tree, ['.'], { skipped: true });
  if (entries.length + unseen.length > 0)
    throw new Error('The work tree has changes that would be lost; force removes it anyway');
  if (await tree.run(hasSubmodules(['.'])))
    throw new Error('The work tree has submodules in it; force removes it anyway');
}
