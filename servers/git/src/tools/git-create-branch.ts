import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { createBranch } from '../backend/commands/branches.ts';
import { quoted } from '../backend/display-name.ts';
import { checkRefName, checkRevision } from '../backend/commands/validate-revision.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitCreateBranch = defineTool({
  name: 'git_create_branch',
  title: 'Create branch',
  description: 'Creates a branch; HEAD does not move.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    branch_name: z.string(),
    base_branch: z.string().optional().describe('Start revision; defaults to HEAD'),
  }),

  async run({ repo_path, branch_name, base_branch }, { repositories }: Git, { signal }) {
    const base = base_branch === undefined ? undefined : checkRevision(base_branch);
    const command = createBranch(checkRefName(branch_name), base);
    await repositories.at(repo_path).run(command, { signal });
    return `Created branch ${quoted(branch_name)}`;
  },
});
