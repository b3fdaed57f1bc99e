import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { addWorktree } from '../backend/actions/add-worktree.ts';
import { displayName, listedPath, quoted } from '../backend/display-name.ts';
import { checkRefName, checkRevision } from '../backend/commands/validate-revision.ts';
import { worktreeList, worktreePrune, worktreeUnlock, type Worktree } from '../backend/commands/worktrees.ts';
import { newDirectory } from '../backend/access/new-directory.ts';
import { removableWorktree, removeWorktree } from '../backend/actions/remove-worktree.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { countedList } from '../text/count-text.ts';

export const gitWorktree = defineTool({
  name: 'git_worktree',
  title: 'Work trees',
  description: 'Lists, adds, removes, unlocks or prunes work trees. Returns the list.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    action: z.enum(['list', 'add', 'remove', 'unlock', 'prune']),
    path: z.string().optional().describe('Relative to the first allowed directory'),
    branch: z.string().optional().describe('Branch to create'),
    revision: z.string().optional(),
    force: z.boolean().default(false).describe('Remove it with its changes'),
  }),

  async run({ repo_path, action, path, branch, revision, force }, { repositories }: Git, call) {
    const repository = repositories.at(repo_path);
    const { signal, progress } = call;
    if (action !== 'list' && action !== 'prune' && path === undefined)
      throw new Error(`Missing path of the work tree to ${action}`);
    if (action === 'add') {
      const tree = {
        path: newDirectory(repository.allowed, path!),
        branch: branch === undefined ? undefined : checkRefName(branch),
        revision: revision === undefined ? undefined : checkRevision(revision),
      };
      await addWorktree(repositories, repository, tree, { signal, progress });
    }
    if (action === 'remove') {
      const found = await removableWorktree(repositories, repository, { path: path!, force }, { signal });
      const text = `Remove the work tree ${quoted(path!)} with all its files?`;
      const question = found.loses ? await requireConfirmation(call, text) : undefined;
      if (question) return question;
      await removeWorktree(repository, found, { force }, { signal });
    }
    if (action === 'prune') await repository.run(worktreePrune, { signal });
    if (action === 'unlock')
      await repository.run(worktreeUnlock(repository.allowed.newPath(path!)), { signal });
    const worktrees = await repository.run(worktreeList);
    return countedList(worktrees.map(treeLine), 'work tree');
  },
});

function treeLine({ path, hash, branch, locked, prunable }: Worktree): string {
  const notes = [...(locked ? ['locked'] : []), ...(prunable ? ['its directory is gone'] : [])];
  return [
    listedPath(path),
    hash?.slice(0, 10) ?? '',
    displayName(branch ?? '(detached)'),
    ...(notes.length === 0 ? [] : [`(${notes.join(', ')})`]),
  ].join(' ');
}
