import { requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import {
  checkRefName,
  type DeletableBranch,
  deleteAll,
  deletedBranchesText,
  maxDeleted,
  mergedBranches,
  namedBranches,
  refuseRemoteBranches,
  shortList,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitDeleteBranch = repositoryTool({
  name: 'git_delete_branch',
  title: 'Delete branches',
  description: 'Deletes local branches; unmerged ones only with force.',
  annotations: { destructiveHint: true, openWorldHint: false },

  args: {
    branch_name: z.union([z.string(), z.array(z.string()).max(maxDeleted)]).optional(),
    merged: z.boolean().default(false).describe('All merged into HEAD, except main, master, develop, trunk'),
    force: z.boolean().default(false),
  },

  async run(repository, { branch_name, merged, force }, call) {
    if (merged === (branch_name !== undefined))
      throw new Error('Invalid arguments: expected either branch_name or merged');
    const names = [branch_name ?? []].flat().map((name) => checkRefName(name));
    await refuseRemoteBranches(repository, names);
    const { branches, total } = merged
      ? await mergedBranches(repository)
      : { branches: await namedBranches(repository, names), total: names.length };
    const lost = branches.filter((branch) => !branch.merged);
    if (force && lost.length > 0) {
      await requireConfirmation(call, questionFor(lost, repository.root));
    }
    if (branches.length === 0) return 'No merged branch to delete';
    const settings = await repository.settings();
    await deleteAll(repository, branches, force);
    const rest = merged && total > maxDeleted ? `, of ${total}; call again for the others` : '';
    return deletedBranchesText(branches, settings, rest);
  },
});

function questionFor(lost: readonly DeletableBranch[], root: string): string {
  const noun = lost.length === 1 ? 'the branch' : 'the branches';
  return `Delete ${noun} ${shortList(lost.map(({ name }) => name))} of ${root} with commits that are not merged?`;
}
