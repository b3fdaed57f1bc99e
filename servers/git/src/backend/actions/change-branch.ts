import {
  branchExists,
  checkout,
  createAndCheckout,
  createBranch,
  renameBranch,
  setUpstream,
  unsetUpstream,
} from '../commands/branches.ts';
import { refDetails } from '../commands/refs.ts';
import { commitHash } from '../commands/rev-parse.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
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

/** What was done; `before` is the commit from which the branch was moved. */
export interface BranchChanged {
  readonly done: 'created' | 'moved' | 'renamed' | 'kept';
  readonly before?: string;
  /** The upstream that was replaced. */
  readonly upstreamBefore?: string | undefined;
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
    if (upstream === '' && !(await repository.runLocked(branchExists(rename ?? name), call)))
      throw missingError(missing('branch', rename ?? name));
    const changed = await createOrRename(repository, change, call);
    if (upstream === undefined) return changed;
    const [ref] = await repository.runLocked(refDetails([`refs/heads/${name}`]), call);
    try {
      await repository.runLocked(upstream === '' ? unsetUpstream(name) : setUpstream(name, upstream), call);
    } catch (error) {
      const { done } = changed;
      if (done === 'kept' || !(error instanceof Error)) throw error;
      throw new Error(`${error.message} (the branch was ${done})`, { cause: error });
    }
    return { ...changed, upstreamBefore: ref?.upstream };
  });
}

async function createOrRename(
  repository: Repository,
  { name, base, checkout: switches, move, rename, upstream }: BranchChange,
  call: CallOptions,
): Promise<BranchChanged> {
  const existing = await repository.runLocked(branchExists(name), call);
  if (rename !== undefined || (existing && upstream !== undefined && base === undefined && !move)) {
    if (rename !== undefined) await repository.runLocked(renameBranch(rename, name), call);
    if (switches) await repository.runLocked(checkout(name), call);
    return { done: rename === undefined ? 'kept' : 'renamed' };
  }
  const before = existing ? await repository.runLocked(commitHash(`refs/heads/${name}`), call) : undefined;
  const create = switches ? createAndCheckout : createBranch;
  await repository.runLocked(create(name, { base, move }), call);
  return before === undefined ? { done: 'created' } : { done: 'moved', before };
}
