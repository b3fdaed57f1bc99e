import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { deleteBranch } from '../backend/commands/branches.ts';
import { displayName, quoted } from '../backend/commands/display-name.ts';
import { refName, revision as checked } from '../backend/commands/revision.ts';
import { addWorktree, listWorktrees, removeWorktree } from '../backend/commands/worktrees.ts';
import { newPlace } from '../backend/new-place.ts';
import type { AskingCall } from '../context.ts';
import { unconfirmed } from '../input/confirmation.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitWorktree = defineTool({
  name: 'git_worktree',
  title: 'Work trees',
  description: 'Lists the work trees of a repository, adds one, or removes one. Answers with the list.',
  hints: { destructive: true, openWorld: false },

  input: z.object({
    ...repositoryArgument,
    action: z.enum(['list', 'add', 'remove']),
    path: z.string().optional().describe('From the first repository named'),
    branch: z.string().optional().describe('Branch to create in it'),
    revision: z.string().optional(),
    force: z.boolean().default(false).describe('Remove it though changes are lost'),
  }),
  output: z.object({
    worktrees: z.array(
      z.object({
        path: z.string(),
        commit: z.string().optional(),
        branch: z.string().optional(),
        locked: z.boolean().optional(),
      }),
    ),
  }),

  async run({ repo_path, action, path, branch, revision, force }, call: AskingCall) {
    const repository = call.repositories.at(repo_path);
    const { signal, progress } = call;
    if (action !== 'list' && path === undefined)
      throw new Error(`Say at which path to ${action} a work tree`);
    if (action === 'add') {
      const command = addWorktree({
        path: newPlace(repository.bound, path!),
        branch: branch === undefined ? undefined : refName(branch),
        revision: revision === undefined ? undefined : checked(revision),
      });
      await repository.change(async () => {
        const before = branch !== undefined && (await repository.now(branchExists(branch)));
        try {
          await repository.now(command, { signal, progress });
        } catch (error) {
          // Git makes the branch first, and leaves it where the rest fails.
          if (branch !== undefined && !before)
            await repository.now(deleteBranch(branch, true)).catch(() => {});
          throw error;
        }
      });
    }
    if (action === 'remove') {
      const asked = await unconfirmed(call, `Remove the work tree ${quoted(path!)}?`);
      if (asked) return asked;
      await repository.run(removeWorktree(repository.bound.enter(path!), force), { signal });
    }
    const worktrees = await repository.run(listWorktrees);
    return toolResult({
      content: worktrees
        .map(
          (tree) =>
            `${displayName(tree.path)} ${tree.hash?.slice(0, 10) ?? ''} ${displayName(tree.branch ?? '(detached)')}`,
        )
        .join('\n'),
      structured: {
        worktrees: worktrees.map((tree) => ({
          path: tree.path,
          ...(tree.hash !== undefined && { commit: tree.hash }),
          ...(tree.branch !== undefined && { branch: tree.branch }),
          ...(tree.locked && { locked: true }),
        })),
      },
    });
  },
});

function branchExists(name: string) {
  return {
    args: ['show-ref', '--verify', '--quiet', `refs/heads/${name}`],
    accept: [1],
    parse: ({ code }: { code: number }) => code === 0,
  };
}
