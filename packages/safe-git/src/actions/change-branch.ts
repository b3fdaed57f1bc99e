import {
  checkout,
  createAndCheckout,
  createBranch,
  deleteBranches,
  renameBranch,
  setUpstream,
  unsetUpstream,
} from '../commands/branches.ts';
import { refDetails, type Ref } from '../commands/refs.ts';
import { missingError, NotFoundError } from '../errors.ts';
import { missing } from '../missing.ts';
import { checkOut } from './check-out.ts';
import { refuseLeavingOperation } from '../queries/in-progress-operation.ts';
import { detachedCommit, leftCommit } from './left-behind.ts';
import { GitStoppedError } from '../process/git-process.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** How to create or change a branch. All names are validated. */
export interface BranchChange {
  readonly name: string;
  /** Defaults to HEAD. */
  readonly base?: string | undefined;
  readonly checkout: boolean;
  /** Moves the branch if it exists. */
  readonly move: boolean;
  /** The branch to rename to `name`. */
  readonly rename?: string | undefined;
  /** Empty to remove it. */
  readonly upstream?: string | undefined;
}

/** The result; `before` is the commit from which the branch was moved. */
export interface BranchChanged {
  readonly done: 'created' | 'moved' | 'renamed' | 'kept';
  readonly before?: string;
  /** The upstream that was replaced. */
  readonly upstreamBefore?: string | undefined;
  /** The former commit of a detached HEAD, if no ref has it. */
  readonly left?: string | undefined;
}

/** Creates, moves or renames a branch, sets its upstream, and checks it out. */
export function changeBranch(
  repository: Repository,
  change: BranchChange,
  call: CallOptions,
): Promise<BranchChanged> {
  const { name, upstream, rename } = change;
  if (rename !== undefined && (change.base !== undefined || change.move))
    throw new Error('Invalid arguments: rename takes no base_branch and no move');
  return repository.withLock(async () => {
    const before = await branchRef(repository, rename ?? name, call);
    if (upstream === '' && !before) throw missingError(missing('branch', rename ?? name));
    if (change.checkout) refuseLeavingOperation(await repository.layout());
    try {
      const head = change.checkout ? await detachedCommit(repository, call) : undefined;
      const changed = await createOrRename(repository, change, before, call);
      const left = await leftCommit(repository, head);
      if (upstream === undefined) return { ...changed, left };
      await changeUpstream(repository, name, upstream, { changed, call });
      return { ...changed, left, upstreamBefore: before?.upstream };
    } catch (error) {
      if (error instanceof GitStoppedError) await restoreBranch(repository, change, before);
      throw error;
    }
  });
}

async function createOrRename(
  repository: Repository,
  { name, base, checkout: switches, move, rename, upstream }: BranchChange,
  before: Ref | undefined,
  call: CallOptions,
): Promise<BranchChanged> {
  if (rename !== undefined || (before && upstream !== undefined && base === undefined && !move)) {
    if (rename !== undefined) await repository.runLocked(renameBranch(rename, name), call);
    if (switches) await checkOut(repository, checkout(name), name, call);
    return { done: rename === undefined ? 'kept' : 'renamed' };
  }
  if (switches) await checkOut(repository, createAndCheckout(name, { base, move }), base ?? 'HEAD', call);
  else await repository.runLocked(createBranch(name, { base, move }), call);
  return before === undefined ? { done: 'created' } : { done: 'moved', before: before.hash };
}

async function changeUpstream(
  repository: Repository,
  name: string,
  upstream: string,
  { changed: { done }, call }: { readonly changed: BranchChanged; readonly call: CallOptions },
): Promise<void> {
  try {
    await repository.runLocked(upstream === '' ? unsetUpstream(name) : setUpstream(name, upstream), call);
  } catch (error) {
    if (done === 'kept' || !(error instanceof NotFoundError)) throw error;
    const message = `${error.message} (the branch was ${done})`;
    throw new NotFoundError(message, error.code, error.missing);
  }
}

/** Undoes the changes of a stopped git to a branch that had this commit and upstream. */
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

async function branchRef(repository: Repository, name: string, call?: CallOptions): Promise<Ref | undefined> {
  const refs = await repository.runLocked(refDetails([`refs/heads/${name}`]), call);
  return refs.find((ref) => ref.name === name);
}
