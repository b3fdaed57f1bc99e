import { requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import {
  checkCommits,
  checkRevision,
  hasResolutions,
  type Integration,
  keepBefore,
  operationTo,
  reasonNotKept,
  type Repository,
  resolvedFiles,
  resumeIntegration,
  startIntegration,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { integrationText, undoOfRestore } from '../text/undo-text.ts';

/** Maximum number of revisions that one call cherry-picks or reverts. */
const maxPicks = 100;

const args = {
  action: z.enum(['merge', 'rebase', 'cherry-pick', 'revert', 'continue', 'skip', 'abort']),
  revision: z
    .union([z.string(), z.array(z.string()).min(1).max(maxPicks)])
    .optional()
    .describe('To cherry-pick or revert: also a range a..b, or several in this order'),
  fast_forward: z.enum(['only', 'never']).optional(),
  squash: z.boolean().optional().describe('Merge without commit'),
  mainline: z.int().min(1).optional().describe('Of a merge: number of the parent to compare with'),
  onto: z.string().optional().describe('Rebase the commits after revision onto this'),
};

export const gitIntegrate = repositoryTool({
  name: 'git_integrate',
  title: 'Merge, rebase, cherry-pick, revert',
  description:
    'Merges, rebases onto, cherry-picks or reverts a revision. Stops at conflicts and lists them; then continue, skip or abort.',
  annotations: { destructiveHint: true, openWorldHint: false },

  args,

  async run(repository, given, call) {
    const { action, revision } = given;
    if (action === 'continue' || action === 'skip' || action === 'abort') {
      if (action === 'skip') operationTo(action, await repository.layout());
      if (action !== 'continue' && (await hasResolutions(repository))) {
        await requireConfirmation(call, `Discard the resolved conflicts in ${repository.root} (${action})?`);
        const paths = await resolvedFiles(repository);
        const kept = await keepResolutions(repository, paths);
        const text = integrationText(await resumeIntegration(repository, action));
        return text + undoOfRestore(paths, [], kept, 'to bring back the resolutions');
      }
      return integrationText(await resumeIntegration(repository, action));
    }
    if (revision === undefined) throw new Error(`Missing revision to ${action}`);
    const options = optionsFor(action, given);
    const what = revisionsFor(action, revision);
    const state = await startIntegration(repository, action, what, options);
    const text = integrationText(state);
    return options.squash && state.outcome === 'done' ? `${text}; staged, not committed` : text;
  },
});

/** Stores the present content of files, with the resolved conflicts, in a commit, and returns its hash. */
async function keepResolutions(
  repository: Repository,
  paths: readonly string[],
): Promise<string | undefined> {
  const work = { tracked: paths, untracked: [], staged: false };
  if (paths.length === 0 || (await reasonNotKept(repository, work)) !== undefined) return undefined;
  return repository.withLock(() => keepBefore(repository, work, 'the end of an operation', async () => {}));
}

/** Returns the revisions as a list. Throws for several commits or a range if the action takes one commit. */
function revisionsFor(action: Integration, revision: string | readonly string[]): readonly string[] {
  const isPick = action === 'cherry-pick' || action === 'revert';
  if (typeof revision === 'string') return [isPick ? checkCommits(revision) : checkRevision(revision)];
  if (!isPick && revision.length !== 1)
    throw new Error(`Invalid revision: ${action} takes one revision, not ${revision.length}`);
  return revision.map(checkRevision);
}

/** Returns the options of the action. Throws for an argument that the action does not use. */
function optionsFor(action: Integration, given: z.output<z.ZodObject<typeof args>>) {
  const { fast_forward, squash, mainline, onto } = given;
  const options = { fast_forward, squash, mainline, onto };
  const accepted: readonly string[] = {
    merge: ['fast_forward', 'squash'],
    rebase: ['onto'],
    'cherry-pick': ['mainline'],
    revert: ['mainline'],
  }[action];
  const [wrong] = Object.entries(options).find(([name, value]) => value && !accepted.includes(name)) ?? [];
  if (wrong !== undefined) throw new Error(`Invalid ${wrong}: ${action} takes no ${wrong}`);
  if (squash && fast_forward) throw new Error('Invalid fast_forward: a squash creates no commit');
  return {
    fastForward: fast_forward,
    squash,
    mainline,
    onto: onto === undefined ? undefined : checkRevision(onto),
  };
}
