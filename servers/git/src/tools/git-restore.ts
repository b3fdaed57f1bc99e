import * as z from 'zod';
import {
  changedPaths,
  checkRevision,
  conflictedPaths,
  countText,
  differingPaths,
  keepBefore,
  lostFiles,
  noSuch,
  objectHash,
  onlyStagedPaths,
  quoted,
  reasonNotKept,
  type Repository,
  restore,
  restoreStagedBlob,
  shortList,
  takeSide,
  unseenChanges,
  workTreePaths,
} from '@mcp/safe-git';
import { confirmLoss, refuseLoss } from '../input/confirm-loss.ts';
import { repositoryTool } from '../input/repository-tool.ts';
import { undoOfRestore, undoOfSide, undoOfUnstage } from '../text/undo-text.ts';

export const gitRestore = repositoryTool({
  name: 'git_restore',
  title: 'Restore paths',
  description: 'Restores files from the index or a revision; with staged, unstages them.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },

  args: {
    paths: z.array(z.string()).min(1),
    staged: z.boolean().default(false),
    source: z.string().optional().describe('Revision; with staged also a blob'),
    side: z
      .enum(['ours', 'theirs', 'conflict'])
      .optional()
      .describe('Resolve a conflict by a side; "conflict" undoes that'),
    force: z.boolean().default(false).describe('Even if it cannot be undone'),
  },

  async run(repository, { paths, staged, source, side, force }, call) {
    if (side && (staged || source !== undefined))
      throw new Error('Invalid arguments: side takes no staged and no source');
    const from = source === undefined ? undefined : checkRevision(source);
    const { top } = await repository.layout();
    const inside = workTreePaths(paths, top);
    if (staged) return unstage(repository, inside, from, force);
    if (from !== undefined && (await repository.run(objectHash(`${from}^{tree}`))) === undefined)
      throw noSuch('revision', from);
    const unseen = side ? [] : await unseenChanges(repository, inside, { skipped: from !== undefined });
    const seen = await lostFiles(repository, inside, { source: from, side });
    const lost = [...new Set([...seen, ...unseen])];
    const [conflict] = from !== undefined || side ? [] : await repository.run(conflictedPaths(inside));
    if (conflict !== undefined)
      throw new Error(`In conflict: ${quoted(conflict)}; side ours or theirs takes a side of it`);
    const tracked =
      side || lost.length === 0
        ? lost
        : [...new Set([...(await repository.run(changedPaths(inside, false))), ...unseen])];
    const untracked = lost.filter((path) => !tracked.includes(path));
    const discarded = { tracked, untracked, staged: false };
    const why = lost.length === 0 ? undefined : await reasonNotKept(repository, discarded);
    if (lost.length > 0) {
      const text = `Discard the changes in ${shortList(lost)} of ${repository.root}?`;
      await confirmLoss(call, { question: text, why, force });
    }
    const work = lost.length > 0 && why === undefined ? discarded : undefined;
    if (side) {
      const { taken, kept } = await takeSide(repository, inside, side, work);
      const undo = undoOfRestore(tracked, untracked, kept, 'to bring back the former content');
      return side === 'conflict'
        ? `Restored the conflict${undo}`
        : `Took ${side}, staged; ${undoOfSide(inside, taken)}${undo}`;
    }
    return repository.withLock(async () => {
      const options = { paths: inside, staged, source: from };
      const differing = await repository.runLocked(differingPaths(options)).catch(() => []);
      const { size } = new Set([...differing, ...unseen]);
      const put = () => repository.runLocked(restore(options));
      const kept = await keepBefore(repository, work, 'restoring files', put);
      const undo = undoOfRestore(tracked, untracked, kept);
      return size === 0
        ? 'Nothing to restore: no file differs'
        : `Restored ${countText(size, 'file')}${undo}`;
    });
  },
});

/** Unstages files, or stages them as they are in a revision. */
async function unstage(
  repository: Repository,
  paths: readonly string[],
  source: string | undefined,
  force: boolean,
): Promise<string> {
  if (source !== undefined && (await restoreStagedBlob(repository, source, paths))) return 'Staged';
  return repository.withLock(async () => {
    const options = { paths, staged: true, source };
    const differing = await repository.runLocked(differingPaths(options)).catch(() => undefined);
    const only = await onlyStagedPaths(repository, paths);
    const discarded = { tracked: only, untracked: [], staged: true };
    const why = only.length === 0 ? undefined : await reasonNotKept(repository, discarded);
    // Without a list of the files, git refuses to unstage, so nothing is lost.
    if (differing) refuseLoss(why, force);
    const isKept = only.length > 0 && why === undefined;
    const unstaging = () => repository.runLocked(restore(options));
    const kept = await keepBefore(repository, isKept ? discarded : undefined, 'unstaging files', unstaging);
    if (!differing?.length) return 'Nothing to unstage: no staged file differs';
    const undo = kept === undefined ? '' : undoOfUnstage(differing, kept);
    return `${source === undefined ? 'Unstaged' : 'Staged'} ${countText(differing.length, 'file')}${undo}`;
  });
}
