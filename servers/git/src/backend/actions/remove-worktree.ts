import { quoted } from '../display-name.ts';
import { hasSubmodules } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import { removeWorktree } from '../commands/worktrees.ts';
import type { Repositories } from '../repositories.ts';
import type { Caller, Repository } from '../repository.ts';

/**
 * Removes a linked work tree; unless forced, only one without changes. Git would look for changes itself, with the
 * configuration that the work tree has for itself, of which the repository's own says nothing.
 */
export async function removeWorkTree(
  repositories: Repositories,
  repository: Repository,
  { path, force }: { path: string; force: boolean },
  caller: Caller,
): Promise<void> {
  const tree = repositories.at(path);
  const { commonDir } = await repository.layout();
  const found = await tree.layout();
  if (found.top !== tree.root || found.gitDir === found.commonDir || found.commonDir !== commonDir)
    throw new Error(`Not a linked work tree: ${quoted(path)}`);
  await repository.change(async () => {
    if (!force) await refuseChanges(tree, caller);
    await repository.now(removeWorktree(tree.root), caller);
  });
}

async function refuseChanges(tree: Repository, caller: Caller): Promise<void> {
  const { entries } = await tree.now(status({ trusted: tree.trusted }), caller);
  if (entries.length > 0)
    throw new Error('The work tree has changes that would be lost; force removes it all the same');
  if (await tree.now(hasSubmodules(['.']), caller))
    throw new Error('The work tree has submodules in it; force removes it all the same');
}
