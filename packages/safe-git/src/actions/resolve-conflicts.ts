import { blobHashes } from '../commands/compare-blobs.ts';
import { checkoutSide, resolvedVersions, stageVersions, unmergedStages } from '../commands/conflicts.ts';
import { removeFromIndex, restore } from '../commands/staging.ts';
import { quoted } from '../display-name.ts';
import { GitStoppedError } from '../process/git-process.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { stageUnfiltered } from './stage-files.ts';

/** A side of a conflict, or the conflict itself with its markers. */
export type Side = 'ours' | 'theirs' | 'conflict';

/** Resolves conflicts by one side, and stages the result; or restores the conflicts. Returns their paths. */
export function takeSide(
  repository: Repository,
  paths: readonly string[],
  side: Side,
  call: CallOptions,
): Promise<string[]> {
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
    return [...stages.keys()];
  });
}

/** Restores conflicts with git's own labels, if git has kept its result. */
async function restoreConflict(
  repository: Repository,
  paths: readonly string[],
  call: CallOptions = {},
): Promise<string[]> {
  const [resolved, unmerged] = await Promise.all([
    repository.runLocked(resolvedVersions(paths), call),
    repository.runLocked(unmergedStages(paths), call),
  ]);
  const conflicts = new Map([
    ...unmerged,
    ...[...resolved].map(([path, versions]) => [path, versions.map(({ stage }) => stage)] as const),
  ]);
  if (conflicts.size === 0) throw new Error(`Not in conflict: ${quoted(paths[0] ?? '.')}`);
  // Git merges again only if both sides exist.
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
      call,
    );
  const versions = new Map([...resolved].filter(([path]) => partial.some(([each]) => each === path)));
  if (versions.size > 0) await repository.runLocked(stageVersions(versions), call);
  for (const [side, stage] of [
    ['ours', 2],
    ['theirs', 3],
  ] as const) {
    const present = partial.filter(([, stages]) => stages.includes(stage)).map(([path]) => path);
    if (present.length > 0) await repository.runLocked(checkoutSide(side, present), call);
  }
  const named = [...conflicts.keys()].filter((path) => !path.includes('\n'));
  if (named.length === 0) return [...conflicts.keys()];
  const written = await repository.runLocked(blobHashes('AUTO_MERGE', named), call);
  const kept = named.filter((_, index) => written[index] !== undefined);
  if (kept.length > 0)
    await repository.runLocked(restore({ paths: kept, staged: false, source: 'AUTO_MERGE' }), call);
  return [...conflicts.keys()];
}

function hasBothSides([, stages]: readonly [string, readonly number[]]): boolean {
  return stages.includes(2) && stages.includes(3);
}
