import { quoted } from '../display-name.ts';
import { hasSubmodules } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import { worktreeRemove } from '../commands/worktrees.ts';
import type { Repositories } from '../repositories.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Removes a linked work tree; unless forced, only one without changes. Git would check for changes itself, but with
 * the work tree's own configuration, which the repository's overrides do not cover.
 */
export async function removeWorktree(
  repositories: Repositories,
  repository: Repository,
  { path, force }: { path: string; force: boolean },
  call: CallOptions,
): Promise<void> {
  const tree = repositories.at(path);
  const { commonDir } = await repository.layout();
  const found = await tree.layout();
  if (found.top !== tree.root || found.gitDir === found.commonDir || found.commonDir !== commonDir)
    throw new Error(`Not a linked work tree: ${quoted(path)}`);
  await repository.withLock(async () => {
    if (!force) await assertUnchanged(tree, call);
    await repository.runLocked(worktreeRemove(tree.root), call);
  });
}

async function assertUnchanged(tree: Repository, call: CallOptions): Promise<void> {
  const { entries } = await tree.runLocked(status({ trusted: tree.trusted }), call);
  if (entries.length > 0)
    throw new Error('The work tree has changes that would be lost; force removes it all the same');
  if (await tree.runLocked(hasSubmodules(['.']), call))
    throw new Error('The work tree has submodules in it; force removes it all the same');
}
