import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { initRepository } from '../backend/actions/init-and-clone.ts';
import { quoted } from '../backend/display-name.ts';
import { checkRefName } from '../backend/commands/validate-revision.ts';
import type { Git } from '../context.ts';

export const gitInit = defineTool({
  name: 'git_init',
  title: 'Create repository',
  description: 'Creates a repository in a new directory inside the allowed directories.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.object({ path: z.string(), initial_branch: z.string().optional() }),

  async run({ path, initial_branch }, { repositories }: Git, { signal, progress }) {
    const branch = initial_branch === undefined ? undefined : checkRefName(initial_branch);
    const { root } = await initRepository(repositories, path, branch, { signal, progress });
    return `Created a repository; its repo_path is ${quoted(root)}`;
  },
});
