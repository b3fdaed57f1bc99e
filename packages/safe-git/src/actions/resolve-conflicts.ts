import { blobHashes } from '../commands/compare-blobs.ts';
import { checkoutSide, resolvedVersions, stageVersions, unmergedStages } from '../commands/conflicts.ts';
import { removeFromIndex, restore } from '../commands/staging.ts';
import type { Side } from '../queries/lost-files.ts';
import type { Repository } from '../repository.ts';
import { quoted } from '../safe-text.ts';
import { stageUnfiltered } from './stage-files.ts';

/**
 * Resolves the conflicts at `paths` by taking one side, and stages the result; for the side `conflict`,
 * restores conflicts that were resolved. Returns the paths of the files.
 */
export function takeSide(repository: Repository, paths: readonly string[], side: Side): Promise<string[]> {
  return repository.withLock(async () => {
    if (side === 'conflict') return restoreConflict(repository, paths);
    const stages = await repository.runLocked(unmergedStages(paths));
    const inDirectory = (path: string) => [...stages.keys()].some((each) => each.startsWith(`${path}/`));
    const other = paths.find((path) => path !== '.' && !stages.has(path) && !inDirectory(path));
    if (other !== undefined || stages.size === 0) throw new Error(`Not in conflict: ${quoted(other ?? '.')}`);
    const wanted = side === 'ours' ? 2 : 3;
    const kept = [...stages].filter(([, has]) => has.includes(wanted)).map(([path]) => path);
    const gone = [...stages].filter(([, has]) => !has.includes(wanted)).map(([path]) => path);
    const resolve = async () => {
      if (kept.length > 0) {
        await repository.runLocked(checkoutSide(side, kept));
        await stageUnfiltered(repository, kept);
      }
      if (gone.length > 0) await repository.runLocked(removeFromIndex(gone, { keepFiles: false }));
    };
    await repository.undoIfStopped(resolve, (uncancelled) =>
      restoreConflict(uncancelled, [...stages.keys()]),
    );
    return [...stages.keys()];
  });
}

/** Restores conflicts. The files get git's own conflict labels if git has kept its result as AUTO_MERGE. */
async function restoreConflict(repository: Repository, paths: readonly string[]): Promise<string[]> {
  const [resolved, unmerged] = await Promise.all([
    repository.runLocked(resolvedVersions(paths)),
    repository.runLocked(unmergedStages(paths)),
  ]);
  const conflicts = new Map([
    ...unmerged,
    ...[...resolved].map(([path, versions]) => [path, versions.map(({ stage }) => stage)] as const),
  ]);
  if (conflicts.size === 0) throw new Error(`Not in conflict: ${quoted(paths[0] ?? '.')}`);
  // `git checkout --merge` writes a conflict again only if both sides have the file.
  const [merged, partial] = [
    [...conflicts].filter(hasBothSides),
    [...conflicts].filter((each) => !hasBothSides(each)),
  ];
  if (merged.length > 0)
    await repository.runLocked(
      checkoutSide(
        'merge',
        merged.map(([path]) => path),
      ),
    );
  const versions = new Map([...resolved].filter(([path]) => partial.some(([each]) => each === path)));
  if (versions.size > 0) await repository.runLocked(stageVersions(versions));
  for (const [side, stage] of [
    ['ours', 2],
    ['theirs', 3],
  ] as const) {
    const present = partial.filter(([, stages]) => stages.includes(stage)).map(([path]) => path);
    if (present.length > 0) await repository.runLocked(checkoutSide(side, present));
  }
  const named = [...conflicts.keys()].filter((path) => !path.includes('\n'));
  if (named.length === 0) return [...conflicts.keys()];
  const written = await repository.runLocked(blobHashes('AUTO_MERGE', named));
  const kept = named.filter((_, index) => written[index] !== undefined);
  if (kept.length > 0)
    await repository.runLocked(restore({ paths: kept, staged: false, source: 'AUTO_MERGE' }));
  return [...conflicts.keys()];
}

function hasBothSides([, stages]: readonly [string, readonly number[]]): boolean {
  return stages.includes(2) && stages.includes(3);
}
