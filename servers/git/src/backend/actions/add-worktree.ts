import { branchExists, deleteBranch } from '../commands/branches.ts';
import { reset } from '../commands/staging.ts';
import { addWorktree, removeWorktree, type AddWorktreeOptions } from '../commands/worktrees.ts';
import type { Repositories } from '../repositories.ts';
import type { Caller, Repository } from '../repository.ts';

/**
 * Adds a work tree; where that fails, the branch that was to be made in it is not there either. Its files come once it
 * is looked at: the configuration can say other things there than it does here.
 */
export async function addWorkTree(
  repositories: Repositories,
  repository: Repository,
  options: AddWorktreeOptions,
  caller: Caller,
): Promise<void> {
  const { branch, path } = options;
  await repository.change(async () => {
    const before = branch !== undefined && (await repository.now(branchExists(branch)));
    let added = false;
    try {
      await repository.now(addWorktree(options), caller);
      added = true;
      await repositories.at(path).now(reset('hard'), caller);
    } catch (error) {
      if (added) await repository.now(removeWorktree(path)).catch(() => {});
      // Git makes the branch first, and leaves it where the rest fails.
      if (branch !== undefined && !before) await repository.now(deleteBranch(branch, true)).catch(() => {});
      throw error;
    }
  });
}
