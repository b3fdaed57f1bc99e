import { log } from '../commands/log.ts';
import { commitHash } from '../commands/rev-parse.ts';
import { storeStash } from '../commands/stash.ts';
import { quoted } from '../display-name.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Puts a dropped stash back into the list, as the newest, by default with its old message.
 * Runs inside `withLock`.
 */
export async function restoreDroppedStash(
  repository: Repository,
  revision: string,
  message: string | undefined,
  call: CallOptions,
): Promise<void> {
  const [hash, base, baseOfIndex] = await Promise.all(
    [revision, `${revision}^1`, `${revision}^2^1`].map((each) =>
      repository.runLocked(commitHash(each), call),
    ),
  );
  if (hash === undefined) throw missingError(missing('revision', revision), 128);
  // The second parent of a stash is the commit of its index, which starts from the same commit.
  if (base === undefined || base !== baseOfIndex) throw new Error(`Not a stash: ${quoted(revision)}`);
  const [commit] = await repository.runLocked(log({ from: hash, max: 1 }), call);
  await repository.runLocked(storeStash(hash, message ?? commit!.message), call);
}
