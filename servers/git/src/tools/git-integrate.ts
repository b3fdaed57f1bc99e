import { requireConfirmation, defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { startIntegration, resumeIntegration } from '../backend/actions/merge-and-rebase.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { stateFacts, stateOutput, stateText } from '../text/state-text.ts';

export const gitIntegrate = defineTool({
  name: 'git_integrate',
  title: 'Merge, rebase, cherry-pick, revert',
  description:
    'Merges, rebases onto, cherry-picks or reverts a revision. Stops at conflicts and lists them; then continue, skip or abort.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    action: z.enum(['merge', 'rebase', 'cherry-pick', 'revert', 'continue', 'skip', 'abort']),
    revision: z.string().optional(),
    fast_forward: z.enum(['only', 'never']).optional().describe('For a merge'),
  }),
  outputSchema: stateOutput,

  async run({ repo_path, action, revision, fast_forward: fastForward }, { repositories }: Git, call) {
    const repository = repositories.at(repo_path);
    const { signal, progress } = call;
    if (action === 'continue' || action === 'skip' || action === 'abort') {
      if (action !== 'continue') {
        const question = await requireConfirmation(
          call,
          `Discard the resolved conflicts in ${repository.root} (${action})?`,
        );
        if (question) return question;
      }
      const state = await resumeIntegration(repository, action, { signal, progress });
      return toolResult({ content: stateText(state), structuredContent: stateFacts(state) });
    }
    if (revision === undefined) throw new Error(`Missing revision to ${action}`);
    const state = await startIntegration(repository, action, checkRevision(revision), {
      signal,
      progress,
      fastForward,
    });
    return toolResult({ content: stateText(state), structuredContent: stateFacts(state) });
  },
});
