import { objectHash } from '../commands/rev-parse.ts';
import { stageBlob, stagedMode } from '../commands/staging.ts';
import { quoted } from '../display-name.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Stages a blob as the content of one tracked file, if the revision names a blob; returns whether it does.
 * So content that was staged, and that no commit has, can be staged again.
 */
export function restoreStagedBlob(
  repository: Repository,
  revision: string,
  [path = '', ...others]: readonly string[],
  call: CallOptions,
): Promise<boolean> {
  return repository.withLock(async () => {
    const blob = await repository.runLocked(objectHash(`${revision}^{blob}`), call);
    if (blob === undefined) return false;
    if (others.length > 0) throw new Error(`Invalid paths: expected one, for the blob ${quoted(revision)}`);
    const mode = await repository.runLocked(stagedMode(path), call);
    if (mode === undefined)
      throw missingError(missing('file', path, { message: `Not a tracked file: ${quoted(path)}` }));
    await repository.runLocked(stageBlob(path, mode, blob), call);
    return true;
  });
}
