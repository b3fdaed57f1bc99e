import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { pullFrom } from '../backend/actions/fetch-pull-push.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { stateText } from '../text/state-text.ts';

export const gitPull = defineTool({
  name: 'git_pull',
  title: 'Pull',
  description:
    'Fetches the upstream of the current branch and integrates it; stops at conflicts and lists them.',
  annotations: { destructiveHint: false, openWorldHint: true },

  inputSchema: z.object({
    ...repositoryArgument,
    remote: z.string().optional(),
    branch: z.string().optional(),
    how: z.enum(['fast-forward', 'merge', 'rebase']).default('fast-forward'),
  }),

  async run({ repo_path, ...request }, { repositories }: Git, { signal, progress }) {
    const state = await pullFrom(repositories.at(repo_path), request, { signal, progress });
    return stateText(state);
  },
});
