import {
  checkout,
  createAndCheckout,
  createBranch,
  deleteBranches,
  renameBranch,
  setUpstream,
  unsetUpstream,
} from '../../commands/refs/branches.ts';
import { refDetails, type Ref } from '../../commands/refs/refs.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { status, type StatusEntry } from '../../commands/work-tree/status.ts';
import { noSuch, NotFoundError } from '../../errors.ts';
import { branchOfHead } from '../../queries/operation/head.ts';
import { checkOut, detachedCommit, leftCommit } from './check-out.ts';
import { refuseLeavingOperation } from '../../queries/operation/in-progress-operation.ts';
import type { Repository } from '../../repository.ts';

/** How to create or change a branch. All names are validated. */
export interface BranchChange {
  readonly name: string;
  /** The revision at which a branch is created, or to which it is moved. Defaults to HEAD. */
  readonly base?: string | undefined;
  readonly checkout: boolean;
  readonly move: boolean;
  readonly rename?: string | undefined;
  /** The upstream to set; an empty string removes the upstream. */
  readonly upstream?: string | undefined;
}

/** The result of `changeBranch`. If the branch was moved, `before` is its former commit. */
export interface BranchChanged {
  readonly done: 'created' | 'moved' | 'renamed' | 'kept';
  readonly commit?: string | undefined;
  /** The branch of HEAD; undefined if HEAD is detached. */
  readonly head?: string | undefined;
  /** The files that still have changes, if the branch was checked out. */
  readonly entries?: readonly StatusEntry[];
  readonly before?: string;
  /** The former upstream, if the change sets or removes the upstream. */
  readonly upstreamBefore?: string | undefined;
  /** The former commit of a detached HEAD, if no branch or tag has the commit in its history. */
  readonly left?: string | undefined;
}

/** Creates, moves or renames a branch; on request, sets its upstream and checks it out. */
export function changeBranch(repository: Repository, change: BranchChange): Promise<BranchChanged> {
  const { name, upstream, rename } = change;
  if (rename !== undefined && (change.base !== undefined || change.move))
    throw new Error('Invalid arguments: "rename" cannot be combined with "base_branch" or "move"');
  return repository.withLock(async () => {
    const before = await branchRef(repository, rename ?? name);
    if (upstream === '' && !before) throw noSuch('branch', rename ?? name);
    if (change.checkout) refuseLeavingOperation(await repository.layout());
    const work = async () => {
      const head = change.checkout ? await detachedCommit(repository) : undefined;
      const changed = await createOrRename(repository, change, before);
      const left = await leftCommit(repository.uncancelled, head);
      if (upstream === undefined) return { ...changed, left };
      await changeUpstream(repository, name, upstream, changed);
      return { ...changed, left, upstreamBefore: before?.upstream };
    };
    const changed = await repository.undoIfStopped(work, (uncancelled) =>
      restoreBranch(uncancelled, change, before),
    );
    const commit = await repository.runLocked(commitHash(`refs/heads/${name}`));
    if (!change.checkout) return { ...changed, commit, head: await repository.runLocked(branchOfHead) };
    const { entries } = await repository.runLocked(status({ trusted: repository.trusted }));
    return { ...changed, commit, head: name, entries };
  });
}

async function createOrRename(
  repository: Repository,
  { name, base, checkout: switches, move, rename, upstream }: BranchChange,
  before: Ref | undefined,
): Promise<BranchChanged> {
  if (rename !== undefined || (before && upstream !== undefined && base === undefined && !move)) {
    if (rename !== undefined) await repository.runLocked(renameBranch(rename, name));
    if (switches) await checkOut(repository, checkout(name), name);
    return { done: rename === undefined ? 'kept' : 'renamed' };
  }
  if (switches) await checkOut(repository, createAndCheckout(name, { base, move }), base ?? 'HEAD');
  else await repository.runLocked(createBranch(name, { base, move }));
  return before === undefined ? { done: 'created' } : { done: 'moved', before: before.hash };
}

async function changeUpstream(
  repository: Repository,
  name: string,
  upstream: string,
  { done }: BranchChanged,
): Promise<void> {
  try {
    await repository.runLocked(upstream === '' ? unsetUpstream(name) : setUpstream(name, upstream));
  } catch (error) {
    if (done === 'kept' || !(error instanceof NotFoundError)) throw error;
    const message = `${error.message} (the branch was ${done})`;
    throw new NotFoundError(message, error.missing);
  }
}

/** Undoes what git changed before it was stopped. `before` has the former commit and upstream. */
async function restoreBranch(
  repository: Repository,
  { name, rename }: BranchChange,
  before: Ref | undefined,
): Promise<void> {
  const now = await branchRef(repository, name);
  if (rename !== undefined) {
    if (now && !(await branchRef(repository, rename))) await repository.runLocked(renameBranch(name, rename));
  } else if (now && !before) {
    return repository.runLocked(deleteBranches([name], true));
  } else if (before && now?.hash !== before.hash) {
    await repository.runLocked(createBranch(name, { base: before.hash, move: true }));
  }
  if (!before || now?.upstream === before.upstream) return;
  const { upstream } = before;
  const restored = rename ?? name;
  await repository.runLocked(
    upstream === undefined ? unsetUpstream(restored) : setUpstream(restored, upstream),
  );
}

async function branchRef(repository: Repository, name: string): Promise<Ref | undefined> {
  const refs = await repository.runLocked(refDetails([`refs/heads/${name}`]));
  return refs.find((ref) => ref.name === name);
}
