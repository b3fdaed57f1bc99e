import * as z from 'zod';
import {
  branchOfHead,
  checkRevision,
  commitHash,
  type DiscardedWork,
  discardedByReset,
  escapeName,
  keepBefore,
  noSuch,
  onlyStagedPaths,
  quoted,
  reasonNotKept,
  remainingText,
  type Repository,
  reset,
  resetKeeping,
  shortHead,
  shortList,
  status,
} from '@mcp/safe-git';
import { confirmLoss, refuseLoss } from '../input/confirm-loss.ts';
import { repositoryTool } from '../input/repository-tool.ts';
import { undoOfReset } from '../text/undo-text.ts';

export const gitReset = repositoryTool({
  name: 'git_reset',
  title: 'Reset',
  description:
    'Unstages everything. With a revision, moves the branch there: soft keeps index and files, mixed the files, hard neither; "keep" keeps all local changes.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },

  args: {
    mode: z.enum(['mixed', 'soft', 'hard', 'keep']).default('mixed'),
    revision: z.string().optional(),
    force: z.boolean().default(false).describe('Even if it cannot be undone'),
  },

  async run(repository, { mode, revision, force }, call) {
    const to = revision === undefined ? undefined : checkRevision(revision);
    if (mode === 'keep' && to === undefined)
      throw new Error('Missing revision: the mode "keep" moves the branch to it');
    if (to !== undefined && (await repository.run(commitHash(to))) === undefined)
      throw noSuch('revision', to);
    const lost = mode === 'hard' ? await discardedByReset(repository, to ?? 'HEAD') : undefined;
    const why = lost && (await reasonNotKept(repository, lost));
    if (lost) {
      const also = lost.untracked.length === 0 ? '' : `, and the untracked ${shortList(lost.untracked)},`;
      const text = `Discard all changes to tracked files in ${repository.root}${also} and go to ${quoted(to ?? 'HEAD')}?`;
      await confirmLoss(call, { question: text, why, force });
    }
    return repository.withLock(async () => {
      const before = await repository.runLocked(shortHead);
      const discarded =
        mode === 'hard'
          ? await discardedByReset(repository, to ?? 'HEAD')
          : await unstagedOnly(repository, mode, force);
      const move = () =>
        mode === 'keep' ? resetKeeping(repository, to!) : repository.runLocked(reset(mode, to));
      const work = why === undefined ? discarded : undefined;
      const kept = await keepBefore(repository, work, `a reset (${mode})`, move);
      const [now, branch, { entries }] = await Promise.all([
        repository.runLocked(shortHead),
        repository.runLocked(branchOfHead),
        repository.runLocked(status({ trusted: repository.trusted })),
      ]);
      const moved = before === now ? '' : `, was ${before}`;
      const where = `${branch === undefined ? 'HEAD' : escapeName(branch)} is at ${now ?? 'no commit'}${moved}`;
      const undo = kept === undefined ? '' : undoOfReset(mode, moved === '' ? undefined : before, kept);
      return `${where}; ${remainingText(entries)}${undo}`;
    });
  },
});

/**
 * What a mixed reset discards: staged content that the work tree does not have. Unless `force`, throws if
 * that cannot be kept.
 */
async function unstagedOnly(
  repository: Repository,
  mode: string,
  force: boolean,
): Promise<DiscardedWork | undefined> {
  if (mode !== 'mixed') return undefined;
  const paths = await onlyStagedPaths(repository, ['.']);
  const discarded = { tracked: paths, untracked: [], staged: true };
  if (paths.length === 0) return undefined;
  const why = await reasonNotKept(repository, discarded);
  refuseLoss(why, force);
  return why === undefined ? discarded : undefined;
}
