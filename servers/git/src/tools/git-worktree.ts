import * as z from 'zod';
import {
  addWorktree,
  checkRefName,
  checkRevision,
  countedList,
  countText,
  moveWorktree,
  newDirectory,
  quoted,
  removableWorktree,
  removeWorktree,
  worktreeLine,
  worktreeList,
  worktreePrune,
  worktreeUnlock,
} from '@mcp/safe-git';
import { confirmLoss } from '../input/confirm-loss.ts';
import { repositoryTool } from '../input/repository-tool.ts';
import { listFacts, worktreeFacts, worktreesSchema } from '../text/facts.ts';
import { removedText } from '../text/undo-text.ts';

export const gitWorktree = repositoryTool({
  name: 'git_worktree',
  title: 'Work trees',
  description: 'Lists, adds, moves, removes, unlocks or prunes work trees. Returns the list.',
  annotations: { destructiveHint: true, openWorldHint: false },

  args: {
    action: z.enum(['list', 'add', 'move', 'remove', 'unlock', 'prune']),
    path: z.string().optional().describe('Relative to the first allowed directory'),
    to: z.string().optional().describe('New path, to move'),
    branch: z.string().optional().describe('Branch to create'),
    revision: z.string().optional(),
    force: z.boolean().default(false).describe('Remove it with its changes'),
  },

  facts: worktreesSchema,

  async run(repository, { action, path, to, branch, revision, force }, call) {
    if (action !== 'list' && action !== 'prune' && path === undefined)
      throw new Error(`Missing path of the work tree to ${action}`);
    let done: string | undefined;
    if (action === 'add') {
      const tree = {
        path: newDirectory(repository.allowed, path!),
        branch: branch === undefined ? undefined : checkRefName(branch),
        revision: revision === undefined ? undefined : checkRevision(revision),
      };
      await addWorktree(call.context.repositories, repository, tree);
      done = `Added ${quoted(path!)}`;
    }
    if (action === 'move') {
      if (to === undefined) throw new Error('Missing to: the new path of the work tree');
      const place = newDirectory(repository.allowed, to);
      await moveWorktree(call.context.repositories, repository, { path: path!, to: place });
      done = `Moved; to undo: git_worktree with action "move", path ${quoted(to)} and to ${quoted(path!)}`;
    }
    if (action === 'remove') {
      const found = await removableWorktree(call.context.repositories, repository, { path: path!, force });
      const text = `Remove the work tree ${quoted(path!)} with all its files?`;
      const loss = { question: text, why: found.why, force };
      if (found.discards) await confirmLoss(call, loss);
      done = removedText(path!, found, await removeWorktree(repository, found, { force }));
    }
    if (action === 'prune')
      done = `Pruned ${countText(await repository.run(worktreePrune), 'work tree')} whose directory is missing`;
    if (action === 'unlock') {
      await repository.run(worktreeUnlock(repository.allowed.newPath(path!)));
      done = `Unlocked ${quoted(path!)}`;
    }
    const worktrees = await repository.run(worktreeList);
    const list = countedList(worktrees.map(worktreeLine), 'work tree');
    const text = done === undefined ? list : `${done}\n${list}`;
    return { text, facts: listFacts('worktrees', worktrees.map(worktreeFacts)) };
  },
});
