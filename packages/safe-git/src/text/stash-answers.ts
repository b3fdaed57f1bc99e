import { applyStashAnyway, restoreDroppedStash, stashChanges } from '../actions/commits/stash.ts';
import { keepObject } from '../actions/kept/keep-work.ts';
import { dropStash, listStashes, missingStash, type Stash } from '../commands/work-tree/stash.ts';
import { status } from '../commands/work-tree/status.ts';
import { missingError } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { quoted } from '../safe-text.ts';
import { countText } from './count-text.ts';
import { readWhere, whereText } from './where-text.ts';

// The functions here return the answer to a call: what was done, where HEAD is, and which changes are not
// committed. Their callers must hold the lock of the repository.

const outcomes = {
  applied: 'Applied',
  'applied without the index': 'Applied; the staged part conflicts with the index, so nothing is staged',
  conflicts: 'Applied with conflicts; the stash is kept',
} as const;

export async function saveAnswer(
  repository: Repository,
  options: { readonly message: string | undefined; readonly untracked: boolean },
): Promise<string> {
  const before = await repository.runLocked(status({ trusted: repository.trusted }));
  const saved = before.entries.filter(({ untracked }) => !untracked || options.untracked);
  if (!(await stashChanges(repository, options))) return `Nothing to save; ${whereText(before)}`;
  return `Saved ${countText(saved.length, 'file')} as stash 0; ${await readWhere(repository)}`;
}

/** Puts a dropped stash back into the list. `commit` is the hash of its commit. */
export async function saveAgainAnswer(
  repository: Repository,
  commit: string,
  message: string | undefined,
): Promise<string> {
  await restoreDroppedStash(repository, commit, message);
  return 'Saved again as stash 0';
}

/** Applies a stash, which is given by its number or, after it was dropped, by the hash of its commit. */
export async function applyAnswer(repository: Repository, stash: number | string): Promise<string> {
  const outcome = await applyStashAnyway(repository, 'apply', stash);
  return `${outcomes[outcome]}; ${await readWhere(repository)}`;
}

/** Pops a stash. A ref keeps its commit, and the answer says how to put the stash back. */
export async function popAnswer(repository: Repository, index: number): Promise<string> {
  const stash = await stashAt(repository, index);
  let outcome: keyof typeof outcomes = 'conflicts';
  await keepObject(repository, stash.hash, async () => {
    outcome = await applyStashAnyway(repository, 'pop', index);
    return outcome !== 'conflicts';
  });
  const done = `${outcomes[outcome]}; ${await readWhere(repository)}`;
  return outcome === 'conflicts'
    ? done
    : `${done}; the action "save" with ${argumentsToSaveAgain(stash)} puts the stash back as stash 0`;
}

/** Drops a stash. A ref keeps its commit, and the answer says how to put the stash back. */
export async function dropAnswer(repository: Repository, index: number): Promise<string> {
  const stash = await stashAt(repository, index);
  await keepObject(repository, stash.hash, async () => {
    await repository.runLocked(dropStash(index));
    return true;
  });
  return `Dropped stash ${index}; the action "save" with ${argumentsToSaveAgain(stash)} puts the stash back as stash 0, and "apply" only restores its changes`;
}

async function stashAt(repository: Repository, index: number): Promise<Stash> {
  const stash = (await repository.runLocked(listStashes))[index];
  if (stash === undefined) throw missingError(missingStash(index));
  return stash;
}

/** The arguments that put a dropped stash back, with its message if that differs from the commit's. */
function argumentsToSaveAgain({ hash, original, message }: Stash): string {
  const commit = `commit ${hash.slice(0, 10)}`;
  const isOwn = original.trim().replaceAll(/\s+/g, ' ') === message.trim();
  return isOwn ? commit : `${commit} and message ${quoted(message)}`;
}
