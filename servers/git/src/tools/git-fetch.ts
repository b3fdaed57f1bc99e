import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { fetchFrom } from '../backend/actions/fetch-pull-push.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitFetch = defineTool({
  name: 'git_fetch',
  title: 'Fetch',
  description: 'Fetches branches and tags from a remote; changes no local branch.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },

  inputSchema: z.object({
    ...repositoryArgument,
    remote: z.string().optional().describe('Name of a remote'),
    branch: z.string().optional(),
    prune: z.boolean().default(false).describe('Delete remote branches that are gone'),
    tags: z.boolean().default(false),
  }),

  async run({ repo_path, ...request }, { repositories }: Git, { signal, progress }) {
    const remote = await fetchFrom(repositories.at(repo_path), request, { signal, progress });
    return `Fetched from ${quoted(remote)}`;
  },
});
