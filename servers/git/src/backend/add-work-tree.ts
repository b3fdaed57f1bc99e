import { branchExists, deleteBranch } from './commands/branches.ts';
import { addWorktree, type AddWorktreeOptions } from './commands/worktrees.ts';
import type { Caller, Repository } from './repository.ts';

/** Adds a work tree; where that fails, the branch that was to be made in it is not there either. */
export async function addWorkTree(
  repository: Repository,
  options: AddWorktreeOptions,
  caller: Caller,
): Promise<void> {
  const { branch } = options;
  await repository.change(async () => {
    const before = branch !== undefined && (await repository.now(branchExists(branch)));
    try {
      await repository.now(addWorktree(options), caller);
    } catch (error) {
      // Git makes the branch first, and leaves it where the rest fails.
      if (branch !== undefined && !before) await repository.now(deleteBranch(branch, true)).catch(() => {});
      throw error;
    }
  });
}
