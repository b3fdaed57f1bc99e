import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { checkRefName } from '../backend/commands/validate-revision.ts';
import { cloneRepository } from '../backend/actions/init-and-clone.ts';
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

  async run({ url, path, branch, depth }, { repositories }: Git, { signal, progress }) {
    const named = branch === undefined ? undefined : checkRefName(branch);
    const { root } = await cloneRepository(
      repositories,
      { url, path, branch: named, depth },
      { signal, progress },
    );
    return `Cloned; its repo_path is ${quoted(root)}`;
  },
});
