import { applyStashAnyway } from '../actions/commits/stash.ts';
import { dropStash, listStashes, type Stash } from '../commands/work-tree/stash.ts';
import type { Repository } from '../repository.ts';
import { quoted } from '../safe-text.ts';

/** The outcomes of applying a stash in words. */
export const stashOutcomes = {
  applied: 'applied',
  'applied without the index': 'applied; the staged part conflicts with the index, so nothing is staged',
  conflicts: 'applied with conflicts; the stash is kept',
} as const;

/** Pops a stash; the answer says how to save it again. Runs inside `withLock`. */
export async function popAnswer(repository: Repository, index: number): Promise<string> {
  const stashes = await repository.runLocked(listStashes);
  const outcome = await applyStashAnyway(repository, 'pop', index);
  return outcome === 'conflicts'
    ? stashOutcomes[outcome]
    : `${stashOutcomes[outcome]}; save with ${argumentsToSaveAgain(stashes[index])} puts the stash back as 0`;
}

/** Drops a stash; the answer says how to save it again. Runs inside `withLock`. */
export async function dropAnswer(repository: Repository, index: number): Promise<string> {
  const stashes = await repository.runLocked(listStashes);
  await repository.runLocked(dropStash(index));
  return `dropped; save with ${argumentsToSaveAgain(stashes[index])} puts it back as 0, apply restores its changes`;
}

/**
 * The arguments that save a dropped stash as it was. They include the message in git's list of stashes if the
 * message of the commit differs.
 */
function argumentsToSaveAgain(stash: Stash | undefined): string {
  if (stash === undefined) return 'its commit';
  const commit = `commit ${stash.hash.slice(0, 10)}`;
  const isOwn = stash.original.trim().replaceAll(/\s+/g, ' ') === stash.message.trim();
  return isOwn ? commit : `${commit} and message ${quoted(stash.message)}`;
}
