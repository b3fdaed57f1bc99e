import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { operationTo, startIntegration, resumeIntegration } from '../backend/actions/merge-and-rebase.ts';
import { hasResolutions } from '../backend/queries/resolved-conflicts.ts';
import { checkCommits, checkRevision } from '../backend/commands/validate-revision.ts';
import type { Integration } from '../backend/commands/integrate.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { stateText } from '../text/state-text.ts';

/** Of the commits to pick or revert. */
const maxPicks = 100;

export const gitIntegrate = defineTool({
  name: 'git_integrate',
  title: 'Merge, rebase, cherry-pick, revert',
  description:
    'Merges, rebases onto, cherry-picks or reverts a revision. Stops at conflicts and lists them; then continue, skip or abort.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    action: z.enum(['merge', 'rebase', 'cherry-pick', 'revert', 'continue', 'skip', 'abort']),
    revision: z
      .union([z.string(), z.array(z.string()).min(1).max(maxPicks)])
      .optional()
      .describe('To pick or revert also a range a..b, or several in this order'),
    fast_forward: z.enum(['only', 'never']).optional(),
    squash: z.boolean().optional().describe('Merge without commit'),
    mainline: z.int().min(1).optional().describe('Parent of a merge to pick or revert'),
    onto: z.string().optional().describe('Rebase the commits after revision onto this'),
  }),

  async run({ repo_path, action, revision, ...args }, { repositories }: Git, call) {
    const repository = repositories.at(repo_path);
    const { signal, progress } = call;
    if (action === 'continue' || action === 'skip' || action === 'abort') {
      if (action === 'skip') operationTo(action, await repository.layout());
      if (action !== 'continue' && (await hasResolutions(repository, call))) {
        const question = await requireConfirmation(
          call,
          `Discard the resolved conflicts in ${repository.root} (${action})?`,
        );
        if (question) return question;
      }
      return stateText(await resumeIntegration(repository, action, { signal, progress }));
    }
    if (revision === undefined) throw new Error(`Missing revision to ${action}`);
    const options = optionsFor(action, args);
    const what = revisionsFor(action, revision);
    const state = await startIntegration(repository, action, what, { signal, progress, ...options });
    const text = stateText(state);
    return options.squash && state.outcome === 'done' ? `${text}; staged, not committed` : text;
  },
});

/** Throws for several commits or a range where one is expected. */
function revisionsFor(action: Integration, revision: string | readonly string[]): readonly string[] {
  const isPick = action === 'cherry-pick' || action === 'revert';
  if (typeof revision === 'string') return [isPick ? checkCommits(revision) : checkRevision(revision)];
  if (!isPick) throw new Error(`Invalid revision: ${action} takes one revision, not ${revision.length}`);
  return revision.map(checkRevision);
}

interface Arguments {
  readonly fast_forward?: 'only' | 'never' | undefined;
  readonly squash?: boolean | undefined;
  readonly mainline?: number | undefined;
  readonly onto?: string | undefined;
}

/** Throws for an argument that means nothing to the action, rather than to ignore it. */
function optionsFor(action: Integration, { fast_forward, squash, mainline, onto }: Arguments) {
  const given = { fast_forward, squash, mainline, onto };
  const accepted: readonly string[] = {
    merge: ['fast_forward', 'squash'],
    rebase: ['onto'],
    'cherry-pick': ['mainline'],
    revert: ['mainline'],
  }[action];
  const [wrong] = Object.entries(given).find(([name, value]) => value && !accepted.includes(name)) ?? [];
  if (wrong !== undefined) throw new Error(`Invalid ${wrong}: it does not apply to ${action}`);
  if (squash && fast_forward) throw new Error('Invalid fast_forward: a squash creates no commit');
  return {
    fastForward: fast_forward,
    squash,
    mainline,
    onto: onto === undefined ? undefined : checkRevision(onto),
  };
}
