import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { checkRefName, cloneRepository, quoted } from '@mcp/safe-git';
import type { Git } from '../context.ts';

export const gitClone = defineTool({
  name: 'git_clone',
  title: 'Clone',
  description: 'Clones a remote into a new directory inside the allowed directories.',
  annotations: { destructiveHint: false, openWorldHint: true },

  inputSchema: z.object({
    url: z.string(),
    path: z.string(),
    branch: z.string().optional(),
    depth: z.int().min(1).optional().describe('Number of commits'),
  }),

  async run({ url, path, branch, depth }, call: Call<Git>) {
    const source = { url, path, branch: branch === undefined ? undefined : checkRefName(branch), depth };
    const { root } = await cloneRepository(call.context.repositories, source, call);
    return `Cloned; its repo_path is ${quoted(root)}`;
  },
});
