import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { pushTo } from '../backend/actions/fetch-pull-push.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitPush = defineTool({
  name: 'git_push',
  title: 'Push',
  description: 'Pushes a branch. force replaces the remote branch, unless it moved since the last fetch.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },

  inputSchema: z.object({
    ...repositoryArgument,
    remote: z.string().optional(),
    branch: z.string().optional().describe('Defaults to the current one'),
    to: z.string().optional().describe('Its name on the remote'),
    force: z.boolean().default(false),
    set_upstream: z.boolean().default(false),
    tags: z.boolean().default(false).describe('Also annotated tags of its commits'),
  }),

  async run({ repo_path, set_upstream: setUpstream, ...request }, { repositories }: Git, call) {
    const repository = repositories.at(repo_path);
    if (request.force) {
      const named = request.to ?? request.branch;
      const question = await requireConfirmation(
        call,
        `Replace ${named === undefined ? 'the current branch' : quoted(named)} on the remote of ${repository.root}?`,
      );
      if (question) return question;
    }
    const { signal, progress } = call;
    return `Pushed ${await pushTo(repository, { ...request, setUpstream }, { signal, progress })}`;
  },
});
