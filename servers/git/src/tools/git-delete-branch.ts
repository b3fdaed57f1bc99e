import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { deleteBranch } from '../backend/commands/branches.ts';
import { quoted } from '../backend/display-name.ts';
import { checkRefName } from '../backend/commands/validate-revision.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitDeleteBranch = defineTool({
  name: 'git_delete_branch',
  title: 'Delete branch',
  description: 'Deletes a local branch; an unmerged one only with force.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    branch_name: z.string(),
    force: z.boolean().default(false),
  }),

  async run({ repo_path, branch_name, force }, { repositories }: Git, call) {
    const command = deleteBranch(checkRefName(branch_name), force);
    const repository = repositories.at(repo_path);
    const question = await requireConfirmation(
      call,
      `Delete the branch ${quoted(branch_name)} of ${repository.root}?`,
    );
    if (question) return question;
    await repository.run(command, { signal: call.signal });
    return `Deleted branch ${quoted(branch_name)}`;
  },
});
