import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isDirectory, pathsInTheWay } from './untracked-in-the-way.ts';
import { SymlinkedPaths } from '../../access/symlinked-paths.ts';
import { changedPaths } from '../../commands/work-tree/staging.ts';
import { untrackedAmong } from '../../commands/objects/tree-paths.ts';
import { readSmallFile } from '../../read-small-file.ts';
import type { Repository } from '../../repository.ts';
import { resolvedByHand, untouchedConflicts } from '../operation/resolved-conflicts.ts';

/** A side of a conflict, or the conflict itself with its markers. */
export type Side = 'ours' | 'theirs' | 'conflict';

/**
 * Returns the files that would lose content if `paths` were restored or, with `side`, resolved with that
 * side. A file in conflict loses nothing if nobody has changed it since git wrote it.
 */
export async function lostFiles(
  repository: Repository,
  paths: readonly string[],
  { source, side }: { readonly source?: string | undefined; readonly side?: Side | undefined },
): Promise<string[]> {
  const { top } = await repository.layout();
  const changed = await repository.run(changedPaths(paths, source !== undefined));
  // A path that leads through a symlink is not in the work tree, so nothing is lost there.
  const linked = new SymlinkedPaths(top);
  const inside = changed.filter((path) => !linked.has(Buffer.from(path)));
  const existing = inside.filter((path) => lstatSync(join(top, path), { throwIfNoEntry: false }));
  if (side === 'conflict') {
    const resolved = await resolvedByHand(repository, paths);
    return [...new Set([...existing, ...resolved])];
  }
  if (side === undefined) {
    // Git removes files in the place of a directory, and directories in the place of a file. A directory that
    // is no changed path is in the place of nothing.
    const replaced = pathsInTheWay(top, [...paths, ...changed]).filter(
      (path) => changed.includes(path) === isDirectory(join(top, path)),
    );
    if (replaced.length === 0) return existing;
    return [...new Set([...existing, ...(await repository.run(untrackedAmong(replaced)))])];
  }
  const untouched = await untouchedConflicts(repository, existing);
  return existing.filter((path) => !(untouched?.has(path) ?? hasMarkers(join(top, path))));
}

/** Whether a file still has conflict markers, so that nobody has begun to resolve the conflict. */
function hasMarkers(path: string): boolean {
  const text = readSmallFile(path)?.toString('latin1') ?? '';
  return /^<<<<<<< /m.test(text) && /^>>>>>>> /m.test(text);
}
