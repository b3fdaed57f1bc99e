import * as z from 'zod';
import { pullFrom } from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { integrationText } from '../text/undo-text.ts';

export const gitPull = repositoryTool({
  name: 'git_pull',
  title: 'Pull',
  description:
    'Fetches the upstream of the current branch and integrates it; stops at conflicts and lists them.',
  annotations: { destructiveHint: false, openWorldHint: true },

  args: {
    remote: z.string().optional(),
    branch: z.string().optional(),
    how: z.enum(['fast-forward', 'merge', 'rebase']).default('fast-forward'),
  },

  async run(repository, request) {
    return integrationText(await pullFrom(repository, request));
  },
});
