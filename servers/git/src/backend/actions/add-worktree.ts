import { existsSync } from 'node:fs';
import { branchExists, deleteBranches } from '../commands/branches.ts';
import { reset } from '../commands/staging.ts';
import { worktreeAdd, worktreeRemove, type WorktreeAddOptions } from '../commands/worktrees.ts';
import { GitStoppedError } from '../process/git-process.ts';
import type { Repositories } from '../repositories.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Adds a work tree; if that fails, removes it again with the branch that was created for it. Files are
 * checked out after the new work tree was inspected, since its configuration can differ from that of the
 * repository.
 */
export async function addWorktree(
  repositories: Repositories,
  repository: Repository,
  options: WorktreeAddOptions,
  call: CallOptions,
): Promise<void> {
  const { branch, path } = options;
  await repository.withLock(async () => {
    const existed = branch !== undefined && (await repository.runLocked(branchExists(branch)));
    const isNew = !existsSync(path);
    let added = false;
    try {
      await repository.runLocked(worktreeAdd(options), call);
      added = true;
      await repositories.at(path).runLocked(reset('hard'), call);
    } catch (error) {
      // A git that was stopped may have added it; an existing directory is not removed.
      if (added || (isNew && error instanceof GitStoppedError))
        await repository.runLocked(worktreeRemove(path)).catch(() => {});
      // Git creates the branch first, and keeps it if the rest fails.
      if (branch !== undefined && !existed)
        await repository.runLocked(deleteBranches([branch], true)).catch(() => {});
      throw error;
    }
  });
}
