import { isInTheWay } from '../access/is-in-the-way.ts';
import { applyStash, untrackedOf } from '../commands/stash.ts';
import { quoted } from '../display-name.ts';
import type { CallOptions, Repository } from '../repository.ts';

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
  const { top } = await repository.layout();
  // Git changes the tracked files before it finds that an untracked one exists.
  const existing = (await repository.runLocked(untrackedOf(stash), call)).filter((path) =>
    isInTheWay(top, path),
  );
  if (existing.length > 0) {
    const named = existing.slice(0, 5).map(quoted).join(', ') + (existing.length > 5 ? ', …' : '');
    throw new Error(
      `Nothing was applied: untracked files of the stash exist already: ${named}; move them first`,
    );
  }
  const outcome = await repository.runLocked(applyStash(action, stash), call);
  if (outcome !== 'index conflicts') return outcome;
  const retried = await repository.runLocked(applyStash(action, stash, { restoreIndex: false }), call);
  return retried === 'applied' ? 'applied without the index' : 'conflicts';
}
