import { blobHashes } from '../../commands/objects/compare-blobs.ts';
import { indexEntries, restoreEntries, type IndexEntry } from '../../commands/work-tree/index-entries.ts';
import { checkoutSide, removeFromIndex, restore } from '../../commands/work-tree/staging.ts';
import type { Side } from '../../queries/files/lost-files.ts';
import type { Repository } from '../../repository.ts';
import { quoted } from '../../safe-text.ts';
import { type DiscardedWork, keepBefore } from '../kept/keep-work.ts';
import { stageUnfiltered } from '../staging/stage-files.ts';

const stageOf = { ours: 2, theirs: 3 } as const;

/**
 * Resolves the conflicts at `paths` with one side and stages the result, or restores resolved conflicts.
 * Returns the paths, and the hash of the commit with the discarded work.
 */
export function takeSide(
  repository: Repository,
  paths: readonly string[],
  side: Side,
  discarded?: DiscardedWork,
): Promise<{ readonly taken: readonly string[]; readonly kept: string | undefined }> {
  return repository.withLock(async () => {
    let taken: readonly string[] = [];
    const take = async () => {
      taken = await (side === 'conflict' ? restoreConflict : resolveBy(side))(repository, paths);
    };
    const kept = await keepBefore(repository, discarded, 'taking a side of a conflict', take);
    return { taken, kept };
  });
}

function resolveBy(side: keyof typeof stageOf) {
  return async (repository: Repository, paths: readonly string[]): Promise<string[]> => {
    const conflicts = await repository.runLocked(indexEntries('unmerged', paths));
    const all = [...conflicts.keys()];
    const other = paths.find(
      (path) => path !== '.' && !all.some((each) => each === path || each.startsWith(`${path}/`)),
    );
    if (other !== undefined || all.length === 0) throw new Error(`Not in conflict: ${quoted(other ?? '.')}`);
    const kept = pathsWith(conflicts, side);
    const gone = all.filter((path) => !kept.includes(path));
    const resolve = async () => {
      if (kept.length > 0) {
        await repository.runLocked(checkoutSide(side, kept));
        await stageUnfiltered(repository, kept);
      }
      if (gone.length > 0) await repository.runLocked(removeFromIndex(gone, { keepFiles: false }));
    };
    await repository.undoIfStopped(resolve, (uncancelled) => restoreConflict(uncancelled, all));
    return all;
  };
}

/** Restores conflicts, with git's own conflict labels if git still has its merge result (AUTO_MERGE). */
async function restoreConflict(repository: Repository, paths: readonly string[]): Promise<string[]> {
  const [resolved, unmerged] = await Promise.all([
    repository.runLocked(indexEntries('resolve-undo', paths)),
    repository.runLocked(indexEntries('unmerged', paths)),
  ]);
  const conflicts = new Map([...unmerged, ...resolved]);
  if (conflicts.size === 0) throw new Error(`Not in conflict: ${quoted(paths[0] ?? '.')}`);
  // `git checkout --merge` writes a conflict again only if both sides have the file. For other conflicts, the
  // index entries are restored, and the file of the one side that has it.
  const [ours, theirs] = [pathsWith(conflicts, 'ours'), pathsWith(conflicts, 'theirs')];
  const merged = ours.filter((path) => theirs.includes(path));
  if (merged.length > 0) await repository.runLocked(checkoutSide('merge', merged));
  const partial = new Map([...resolved].filter(([path]) => !merged.includes(path)));
  if (partial.size > 0) await repository.runLocked(restoreEntries(partial));
  for (const [side, present] of [
    ['ours', ours],
    ['theirs', theirs],
  ] as const) {
    const only = present.filter((path) => !merged.includes(path));
    if (only.length > 0) await repository.runLocked(checkoutSide(side, only));
  }
  const named = [...conflicts.keys()].filter((path) => !path.includes('\n'));
  const written = named.length === 0 ? [] : await repository.runLocked(blobHashes('AUTO_MERGE', named));
  const kept = named.filter((_, index) => written[index] !== undefined);
  if (kept.length > 0)
    await repository.runLocked(restore({ paths: kept, staged: false, source: 'AUTO_MERGE' }));
  return [...conflicts.keys()];
}

function pathsWith(
  conflicts: ReadonlyMap<string, readonly IndexEntry[]>,
  side: keyof typeof stageOf,
): string[] {
  const has = (entries: readonly IndexEntry[]) => entries.some(({ stage }) => stage === stageOf[side]);
  return [...conflicts].filter(([, entries]) => has(entries)).map(([path]) => path);
}
