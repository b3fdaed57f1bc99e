import {
  branchExists,
  checkedOutMessage,
  createBranch,
  deleteBranches,
  setUpstream,
} from '../../commands/refs/branches.ts';
import { refDetails, refNames, shortRefName, type Ref } from '../../commands/refs/refs.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { worktreeList } from '../../commands/work-tree/worktrees.ts';
import { quoted, shortList } from '../../safe-text.ts';
import { noSuch } from '../../errors.ts';
import { remoteOfName } from '../../queries/names/remotes.ts';
import type { Repository } from '../../repository.ts';

/** A branch. `merged` tells whether its commits stay reachable after the branch is deleted. */
export interface DeletableBranch extends Ref {
  readonly merged: boolean;
}

/** Branches on which other work is usually based. Such a branch is deleted only if the call names it. */
const longLived = new Set(['main', 'master', 'trunk', 'develop', 'development']);

/** Returns the branches with these names. Throws `NotFoundError` if a branch does not exist. */
export async function namedBranches(
  repository: Repository,
  names: readonly string[],
): Promise<DeletableBranch[]> {
  if (names.length === 0)
    throw new Error('Missing branch; expected the name of at least one branch to delete');
  const [refs, merged] = await Promise.all([
    repository.run(refDetails(names.map((name) => `refs/heads/${name}`))),
    mergedIntoHead(repository),
  ]);
  const byName = new Map(refs.map((ref) => [ref.name, ref]));
  return [...new Set(names)].map((name) => {
    const ref = byName.get(name);
    if (!ref) throw noSuch('branch', name);
    return { ...ref, merged: isMerged(ref, merged) };
  });
}

/**
 * Throws if a name is that of a remote branch. The usual error for a missing branch would suggest a local
 * branch with a similar name, which the caller does not mean.
 */
export async function refuseRemoteBranches(repository: Repository, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const remote = await remoteOfName(repository, name);
    if (remote === undefined || (await repository.run(branchExists(name)))) continue;
    const branch = quoted(name.slice(remote.length + 1));
    throw new Error(
      `Not a local branch: ${quoted(name)}; a push with delete and the branch ${branch} deletes it on the remote ${quoted(remote)}`,
    );
  }
}

export const maxDeleted = 500;

/** Returns at most 500 branches that are merged into HEAD, not checked out, and not in `longLived`. */
export async function mergedBranches(
  repository: Repository,
): Promise<{ branches: DeletableBranch[]; total: number }> {
  const [merged, worktrees] = await Promise.all([mergedIntoHead(repository), repository.run(worktreeList)]);
  const inUse = new Set(worktrees.map(({ branch }) => branch));
  const names = [...merged].map(shortRefName).filter((name) => !inUse.has(name) && !longLived.has(name));
  if (names.length === 0) return { branches: [], total: 0 };
  const branches = await namedBranches(repository, names.slice(0, maxDeleted));
  return { branches: branches.filter((branch) => branch.merged), total: names.length };
}

/** Deletes all these branches. Throws, and deletes none, if one of them may not be deleted. */
export function deleteAll(
  repository: Repository,
  branches: readonly DeletableBranch[],
  force: boolean,
): Promise<void> {
  return repository.withLock(async () => {
    const worktrees = await repository.runLocked(worktreeList);
    const inUse = worktrees.find(({ branch }) => branches.some(({ name }) => name === branch));
    if (inUse) throw new Error(checkedOutMessage(inUse.branch!, inUse.path));
    const unmerged = force ? [] : branches.filter(({ merged }) => !merged);
    if (unmerged.length > 0) {
      const list = shortList(unmerged.map(({ name }) => name));
      const whose = unmerged.length === 1 ? 'it and its' : 'them and their';
      throw new Error(`Not fully merged: ${list}; force deletes ${whose} commits`);
    }
    const names = branches.map(({ name }) => name);
    await repository.undoIfStopped(
      () => repository.runLocked(deleteBranches(names, force)),
      (uncancelled) => restoreBranches(uncancelled, branches),
    );
  });
}

/** Recreates those of the branches that no longer exist, with their upstreams. */
async function restoreBranches(repository: Repository, branches: readonly DeletableBranch[]): Promise<void> {
  for (const { name, hash, upstream } of branches) {
    if (await repository.runLocked(branchExists(name))) continue;
    await repository.runLocked(createBranch(name, { base: hash }));
    if (upstream !== undefined) await repository.runLocked(setUpstream(name, upstream)).catch(() => {});
  }
}

/** The full names of the branches that are merged into HEAD; empty before the first commit. */
async function mergedIntoHead(repository: Repository): Promise<ReadonlySet<string>> {
  if ((await repository.run(commitHash('HEAD'))) === undefined) return new Set();
  return new Set(await repository.run(refNames({ kind: 'local', merged: 'HEAD' })));
}

/** Whether git regards a branch as merged: into its upstream or, without an upstream, into HEAD. */
function isMerged({ full, upstream, track = '' }: Ref, merged: ReadonlySet<string>): boolean {
  if (upstream !== undefined && track !== 'gone') return !track.includes('ahead');
  return merged.has(full);
}
