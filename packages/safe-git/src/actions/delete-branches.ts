import { branchExists, createBranch, deleteBranches, setUpstream } from '../commands/branches.ts';
import { refDetails, refNames, shortRefName, type Ref } from '../commands/refs.ts';
import { commitHash } from '../commands/rev-parse.ts';
import { worktreeList } from '../commands/worktrees.ts';
import { quoted } from '../display-name.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import { GitStoppedError } from '../process/git-process.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** A branch, and whether its commits stay reachable when it is deleted. */
export interface DeletableBranch extends Ref {
  readonly merged: boolean;
}

/** Branches that other work starts from: asked for by name, they are deleted, and else never. */
const longLived = new Set(['main', 'master', 'trunk', 'develop', 'development']);

/** The branches with these names. Throws `NotFoundError` if one is missing. */
export async function namedBranches(
  repository: Repository,
  names: readonly string[],
  call: CallOptions,
): Promise<DeletableBranch[]> {
  if (names.length === 0) throw new Error('Invalid branch_name: no branch is named');
  const [refs, merged] = await Promise.all([
    repository.run(refDetails(names.map((name) => `refs/heads/${name}`)), call),
    mergedIntoHead(repository, call),
  ]);
  const byName = new Map(refs.map((ref) => [ref.name, ref]));
  return [...new Set(names)].map((name) => {
    const ref = byName.get(name);
    if (!ref) throw missingError(missing('branch', name));
    return { ...ref, merged: isMerged(ref, merged) };
  });
}

/** Maximum number of branches in one call. */
export const maxDeleted = 500;

/** The branches that are merged into HEAD, at most 500, without those that are checked out or long-lived. */
export async function mergedBranches(
  repository: Repository,
  call: CallOptions,
): Promise<{ branches: DeletableBranch[]; total: number }> {
  const [merged, worktrees] = await Promise.all([
    mergedIntoHead(repository, call),
    repository.run(worktreeList, call),
  ]);
  const inUse = new Set(worktrees.map(({ branch }) => branch));
  const names = [...merged].map(shortRefName).filter((name) => !inUse.has(name) && !longLived.has(name));
  if (names.length === 0) return { branches: [], total: 0 };
  const branches = await namedBranches(repository, names.slice(0, maxDeleted), call);
  return { branches: branches.filter((branch) => branch.merged), total: names.length };
}

/** Deletes all of them or, if one may not be deleted, none. */
export function deleteAll(
  repository: Repository,
  branches: readonly DeletableBranch[],
  force: boolean,
  call: CallOptions,
): Promise<void> {
  return repository.withLock(async () => {
    const worktrees = await repository.runLocked(worktreeList, call);
    const inUse = branches.find(({ name }) => worktrees.some(({ branch }) => branch === name));
    if (inUse) throw new Error(`The branch is checked out: ${quoted(inUse.name)}`);
    const unmerged = force ? [] : branches.filter(({ merged }) => !merged);
    if (unmerged.length > 0) {
      const named = unmerged.slice(0, 5).map(({ name }) => quoted(name));
      const more = unmerged.length > 5 ? ` and ${unmerged.length - 5} more` : '';
      throw new Error(
        `Not fully merged: ${named.join(', ')}${more}; force deletes ${unmerged.length === 1 ? 'it and its' : 'them and their'} commits`,
      );
    }
    const names = branches.map(({ name }) => name);
    try {
      await repository.runLocked(deleteBranches(names, force), call);
    } catch (error) {
      if (error instanceof GitStoppedError) await restoreBranches(repository, branches);
      throw error;
    }
  });
}

/** Creates those branches again that are gone. */
async function restoreBranches(repository: Repository, branches: readonly DeletableBranch[]): Promise<void> {
  for (const { name, hash, upstream } of branches) {
    if (await repository.runLocked(branchExists(name))) continue;
    await repository.runLocked(createBranch(name, { base: hash }));
    if (upstream !== undefined) await repository.runLocked(setUpstream(name, upstream)).catch(() => {});
  }
}

/** The full names of the branches that are merged into HEAD; none before the first commit. */
async function mergedIntoHead(repository: Repository, call: CallOptions): Promise<ReadonlySet<string>> {
  if ((await repository.run(commitHash('HEAD'), call)) === undefined) return new Set();
  return new Set(await repository.run(refNames({ kind: 'local', merged: 'HEAD' }), call));
}

/** As git decides: merged into the upstream or, without one, into HEAD. */
function isMerged({ full, upstream, track = '' }: Ref, merged: ReadonlySet<string>): boolean {
  if (upstream !== undefined && track !== 'gone') return !track.includes('ahead');
  return merged.has(full);
}
