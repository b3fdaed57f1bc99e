import { confirm, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { deleteBranch } from '../backend/commands/branches.ts';
import { quoted } from '../backend/display-name.ts';
import { refName } from '../backend/commands/validate-revision.ts';
import type { AskingCall } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitDeleteBranch = defineTool({
  name: 'git_delete_branch',
  title: 'Delete branch',
  description: 'Deletes a local branch; one with commits that are nowhere else only with force.',
  hints: { destructive: true, openWorld: false },

  input: z.object({ ...repositoryArgument, branch_name: z.string(), force: z.boolean().default(false) }),

  async run({ repo_path, branch_name, force }, call: AskingCall) {
    const command = deleteBranch(refName(branch_name), force);
    const repository = call.repositories.at(repo_path);
    const asked = await confirm(call, `Delete the branch ${quoted(branch_name)} of ${repository.root}?`);
    if (asked) return asked;
    await repository.run(command, { signal: call.signal });
    return `Deleted branch ${quoted(branch_name)}`;
  },
});
