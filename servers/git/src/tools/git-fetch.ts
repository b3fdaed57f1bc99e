import * as z from 'zod';
import { fetchFrom, quoted } from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitFetch = repositoryTool({
  name: 'git_fetch',
  title: 'Fetch',
  description: 'Fetches branches and tags from a remote; changes no local branch.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },

  args: {
    remote: z.string().optional().describe('Name of a remote'),
    branch: z.string().optional(),
    prune: z.boolean().default(false).describe('Delete remote branches that are gone'),
    tags: z.boolean().default(false),
  },

  async run(repository, request) {
    const remote = await fetchFrom(repository, request);
    return `Fetched from ${quoted(remote)}`;
  },
});
