import { pathsInTheWay } from '../access/path-in-the-way.ts';
import { applyStash, nameOf, untrackedOf } from '../commands/stash.ts';
import { addedPaths } from '../commands/tree-paths.ts';
import { quoted } from '../display-name.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { refuseIgnored } from './refuse-overwriting-ignored.ts';

export type StashOutcome = 'applied' | 'applied without the index' | 'conflicts';

/**
 * Applies a stash with its staged part, and without it if that conflicts with the index: then nothing of it
 * is staged. With `conflicts` the stash is kept. Runs inside `withLock`.
 */
export async function applyStashAnyway(
  repository: Repository,
  action: 'apply' | 'pop',
  stash: number | string,
  call: CallOptions,
): Promise<StashOutcome> {
  const [added, untracked, { top }] = await Promise.all([
    repository.runLocked(addedPaths(`${nameOf(stash)}^1`, nameOf(stash)), call),
    repository.runLocked(untrackedOf(stash), call),
    repository.layout(),
  ]);
  await refuseIgnored(repository, added, call);
  // Git changes the tracked files before it finds that an untracked one exists.
  const existing = pathsInTheWay(top, untracked);
  if (existing.length > 0) {
    const named = existing.slice(0, 5).map(quoted).join(', ') + (existing.length > 5 ? ', …' : '');
    throw new Error(
      `Nothing was applied: files are in the way of untracked ones of the stash: ${named}; move them first`,
    );
  }
  const outcome = await repository.runLocked(applyStash(action, stash), call);
  if (outcome !== 'index conflicts') return outcome;
  const retried = await repository.runLocked(applyStash(action, stash, { restoreIndex: false }), call);
  return retried === 'applied' ? 'applied without the index' : 'conflicts';
}
