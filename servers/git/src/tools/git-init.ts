import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { checkRefName, initRepository, quoted } from '@mcp/safe-git';
import type { Git } from '../context.ts';

export const gitInit = defineTool({
  name: 'git_init',
  title: 'Create repository',
  description: 'Creates a repository in a new directory inside the allowed directories.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.object({ path: z.string(), initial_branch: z.string().optional() }),

  async run({ path, initial_branch }, call: Call<Git>) {
    const branch = initial_branch === undefined ? undefined : checkRefName(initial_branch);
    const { root } = await initRepository(call.context.repositories, path, branch, call);
    return `Created a repository; its repo_path is ${quoted(root)}`;
  },
});
