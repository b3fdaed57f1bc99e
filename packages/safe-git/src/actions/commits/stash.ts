import {
  pathsInTheWay,
  refuseIgnored,
  replacedByDirectories,
} from '../../queries/files/untracked-in-the-way.ts';
import { unseenChanges } from '../../queries/files/unseen-changes.ts';
import { log } from '../../commands/history/log.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { applyStash, nameOf, saveStash, storeStash, untrackedOf } from '../../commands/work-tree/stash.ts';
import { status } from '../../commands/work-tree/status.ts';
import { addedPaths, ignoredAmong, untrackedAmong, writtenPaths } from '../../commands/objects/tree-paths.ts';
import { noSuch } from '../../errors.ts';
import type { Repository } from '../../repository.ts';
import { quoted, shortList } from '../../safe-text.ts';
import { refuseUnfiltered } from '../staging/refuse-unfiltered.ts';

/**
 * Stashes the changes. Returns whether there were any. Throws if files would be lost. The caller must hold
 * the lock.
 */
export async function stashChanges(
  repository: Repository,
  { message, untracked }: { readonly message: string | undefined; readonly untracked: boolean },
): Promise<boolean> {
  await refuseUnfiltered(repository, ['.'], (entry) => !entry.untracked || untracked);
  await refuseLosing(repository, untracked);
  await refuseUnseen(repository);
  if (untracked) await refuseRemoved(repository);
  return repository.runLocked(saveStash(message, untracked));
}

/**
 * Throws if a directory has replaced a tracked file, or a file has replaced a tracked directory: git would
 * remove the new files without stashing them.
 */
async function refuseLosing(repository: Repository, untracked: boolean): Promise<void> {
  const replaced = await replacedByDirectories(repository);
  if (replaced.length === 0) return;
  const among = untracked ? ignoredAmong : untrackedAmong;
  const lost = await repository.runLocked(among(replaced));
  if (lost.length === 0) return;
  const advice = untracked ? 'move them away first' : 'move them away, or stash the untracked files too';
  throw new Error(
    `The stash would delete these files, which are in the place of tracked files: ${shortList(lost)}; ${advice}`,
  );
}

/** Throws if there are changes that git would remove without stashing them, because it does not see them. */
async function refuseUnseen(repository: Repository): Promise<void> {
  const unseen = await unseenChanges(repository, ['.'], { skipped: false });
  if (unseen.length === 0) return;
  throw new Error(
    `The stash would lose the changes of these files, which have the flag assume-unchanged: ${shortList(unseen)}; run git update-index --no-assume-unchanged on them first`,
  );
}

/**
 * Throws if a file is removed from the index, but exists. A stash would have it as an untracked file, and
 * git would not apply the stash, because the file is tracked again.
 */
async function refuseRemoved(repository: Repository): Promise<void> {
  const { entries } = await repository.runLocked(status({ trusted: repository.trusted }));
  const untracked = new Set(entries.filter((entry) => entry.untracked).map(({ path }) => path));
  const removed = entries.filter(({ path, staged }) => staged === 'deleted' && untracked.has(path));
  if (removed.length === 0) return;
  const names = shortList(removed.map(({ path }) => path));
  throw new Error(
    `Such a stash could not be applied, because these files are removed from the index, but exist: ${names}; move them away, or save without include_untracked`,
  );
}

export type StashOutcome = 'applied' | 'applied without the index' | 'conflicts';

/**
 * Applies a stash with its staged changes or, if these conflict with the index, without staging. With the
 * result `conflicts`, the stash stays in the list. The caller must hold the lock.
 */
export async function applyStashAnyway(
  repository: Repository,
  action: 'apply' | 'pop',
  stash: number | string,
): Promise<StashOutcome> {
  const [written, deleted, untracked, { top }] = await Promise.all([
    repository.runLocked(writtenPaths(`${nameOf(stash)}^1`, nameOf(stash))),
    repository.runLocked(addedPaths(nameOf(stash), `${nameOf(stash)}^1`)),
    repository.runLocked(untrackedOf(stash)),
    repository.layout(),
  ]);
  await refuseIgnored(repository, written);
  // Git would notice only after it has changed other files that an untracked file of the stash already
  // exists. So existing files are looked for first; a file that the stash deletes does not count.
  const isDeleted = (path: string) => deleted.some((each) => each === path || each.startsWith(`${path}/`));
  const existing = pathsInTheWay(top, untracked).filter((path) => !isDeleted(path));
  if (existing.length > 0) {
    throw new Error(
      `Nothing was applied, because files exist at the paths of untracked files of the stash: ${shortList(existing)}; move them first`,
    );
  }
  const outcome = await repository.runLocked(applyStash(action, stash));
  if (outcome !== 'index conflicts') return outcome;
  const retried = await repository.runLocked(applyStash(action, stash, { restoreIndex: false }));
  return retried === 'applied' ? 'applied without the index' : 'conflicts';
}

/** Puts a dropped stash back on top, with `message` or its old message. The caller must hold the lock. */
export async function restoreDroppedStash(
  repository: Repository,
  revision: string,
  message: string | undefined,
): Promise<void> {
  const [hash, base, baseOfIndex] = await Promise.all(
    [revision, `${revision}^1`, `${revision}^2^1`].map((each) => repository.runLocked(commitHash(each))),
  );
  if (hash === undefined) throw noSuch('revision', revision);
  // A stash is a merge commit. Its second parent, the index, has the stash's first parent as its parent.
  if (base === undefined || base !== baseOfIndex) throw new Error(`Not a stash: ${quoted(revision)}`);
  const [commit] = await repository.runLocked(log({ from: hash, max: 1 }));
  await repository.runLocked(storeStash(hash, message ?? commit!.message));
}
