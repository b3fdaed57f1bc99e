import { applyStash } from '../commands/stash.ts';
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
  const outcome = await repository.runLocked(applyStash(action, stash), call);
  if (outcome !== 'index conflicts') return outcome;
  const retried = await repository.runLocked(applyStash(action, stash, { restoreIndex: false }), call);
  return retried === 'applied' ? 'applied without the index' : 'conflicts';
}
