import { blobHashes } from '../commands/compare-blobs.ts';
import { checkoutSide, unmergedStages } from '../commands/conflicts.ts';
import { removeFromIndex, restore } from '../commands/staging.ts';
import { quoted } from '../display-name.ts';
import { GitStoppedError } from '../process/git-process.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { stageUnfiltered } from './stage-files.ts';

/** A side of a conflict, or the conflict itself with its markers. */
export type Side = 'ours' | 'theirs' | 'conflict';

/** Resolves conflicts by one side, and stages the result; or restores the conflicts. */
export function takeSide(
  repository: Repository,
  paths: readonly string[],
  side: Side,
  call: CallOptions,
): Promise<void> {
  return repository.withLock(async () => {
    if (side === 'conflict') return restoreConflict(repository, paths, call);
    const stages = await repository.runLocked(unmergedStages(paths), call);
    const inDirectory = (path: string) => [...stages.keys()].some((each) => each.startsWith(`${path}/`));
    const other = paths.find((path) => path !== '.' && !stages.has(path) && !inDirectory(path));
    if (other !== undefined || stages.size === 0) throw new Error(`Not in conflict: ${quoted(other ?? '.')}`);
    const wanted = side === 'ours' ? 2 : 3;
    const kept = [...stages].filter(([, has]) => has.includes(wanted)).map(([path]) => path);
    const gone = [...stages].filter(([, has]) => !has.includes(wanted)).map(([path]) => path);
    try {
      if (kept.length > 0) {
        await repository.runLocked(checkoutSide(side, kept), call);
        await stageUnfiltered(repository, kept, call);
      }
      if (gone.length > 0) await repository.runLocked(removeFromIndex(gone, { keepFiles: false }), call);
    } catch (error) {
      if (error instanceof GitStoppedError) await restoreConflict(repository, [...stages.keys()]);
      throw error;
    }
  });
}

/** Restores conflicts with the labels that git has written, where it has kept its result. */
async function restoreConflict(
  repository: Repository,
  paths: readonly string[],
  call: CallOptions = {},
): Promise<void> {
  await repository.runLocked(checkoutSide('merge', paths), call);
  const stages = await repository.runLocked(unmergedStages(paths), call);
  const named = [...stages.keys()].filter((path) => !path.includes('\n'));
  if (named.length === 0) return;
  const written = await repository.runLocked(blobHashes('AUTO_MERGE', named), call);
  const kept = named.filter((_, index) => written[index] !== undefined);
  if (kept.length > 0)
    await repository.runLocked(restore({ paths: kept, staged: false, source: 'AUTO_MERGE' }), call);
}
