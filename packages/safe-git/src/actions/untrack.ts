import { ignoredTracked, onlyStaged, removeFromIndex, trackedPaths } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** The files that are no longer tracked, by their former state in the index. */
export interface Untracked {
  /** The content of HEAD. */
  readonly unstaged: readonly string[];
  /** The content of the file, which HEAD does not have. */
  readonly staged: readonly string[];
  /** Staged deletions at these paths: unstaging the paths would undo them too. */
  readonly deleted: readonly string[];
  /** Files that no call restores: a conflict, an intent to add, or a staged file that is ignored. */
  readonly lost: readonly string[];
}

/**
 * Removes files from the index, and keeps them in the work tree. Throws if content would be lost
 * that is only staged.
 */
export function untrack(
  repository: Repository,
  paths: readonly string[],
  call: CallOptions,
): Promise<Untracked> {
  return repository.withLock(async () => {
    const [tracked, { entries }] = await Promise.all([
      repository.runLocked(trackedPaths(paths), call),
      repository.runLocked(status({ paths, trusted: repository.trusted }), call),
    ]);
    const changed = entries.filter(
      ({ staged, unstaged, conflict }) => staged ?? conflict ?? unstaged === 'added',
    );
    const only = changed.find(({ staged, unstaged }) => staged !== undefined && unstaged === 'deleted');
    if (only) throw new Error(onlyStaged(only.path));
    const ignored = new Set(
      changed.length === 0 ? [] : await repository.runLocked(ignoredTracked(paths), call),
    );
    await repository.runLocked(removeFromIndex(paths, { keepFiles: true }), call);
    const restorable = ({ path, staged }: (typeof changed)[number]) =>
      staged !== undefined && !ignored.has(path);
    const names = new Set(changed.map(({ path }) => path));
    const wasTracked = changed.filter(({ staged }) => staged !== 'deleted');
    return {
      unstaged: tracked.filter((path) => !names.has(path)),
      staged: wasTracked.filter(restorable).map(({ path }) => path),
      deleted: changed.filter(({ staged }) => staged === 'deleted').map(({ path }) => path),
      lost: wasTracked.filter((entry) => !restorable(entry)).map(({ path }) => path),
    };
  });
}
