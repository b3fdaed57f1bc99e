import {
  ignoredTracked,
  onlyStaged,
  removeFromIndex,
  trackedPaths,
} from '../../commands/work-tree/staging.ts';
import { status } from '../../commands/work-tree/status.ts';
import type { Repository } from '../../repository.ts';

/** The files that are no longer tracked, grouped by what the index had for them. */
export interface Untracked {
  /** Files that had the same content in the index as in HEAD. */
  readonly unstaged: readonly string[];
  /** Files whose content in the index differed from HEAD, but is still in the work tree. */
  readonly staged: readonly string[];
  /** Files whose deletion was already staged. Unstaging these paths would undo that deletion, too. */
  readonly deleted: readonly string[];
  /** Files whose index entry cannot be restored: in conflict, added with `--intent-to-add`, or ignored. */
  readonly lost: readonly string[];
}

/**
 * Removes files from the index, but keeps them in the work tree. Throws if only the index has some content,
 * because that content would be lost.
 */
export function untrack(repository: Repository, paths: readonly string[]): Promise<Untracked> {
  return repository.withLock(async () => {
    const [tracked, { entries }] = await Promise.all([
      repository.runLocked(trackedPaths(paths)),
      repository.runLocked(status({ paths, trusted: repository.trusted })),
    ]);
    const changed = entries.filter(
      ({ staged, unstaged, conflict }) => staged ?? conflict ?? unstaged === 'added',
    );
    const only = changed.find(({ staged, unstaged }) => staged !== undefined && unstaged === 'deleted');
    if (only) throw new Error(onlyStaged(only.path));
    const ignored = new Set(changed.length === 0 ? [] : await repository.runLocked(ignoredTracked(paths)));
    await repository.runLocked(removeFromIndex(paths, { keepFiles: true }));
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
