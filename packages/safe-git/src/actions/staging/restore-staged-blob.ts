import { indexEntries } from '../../commands/work-tree/index-entries.ts';
import { objectHash } from '../../commands/objects/rev-parse.ts';
import { stageBlob } from '../../commands/work-tree/staging.ts';
import { quoted } from '../../safe-text.ts';
import { noSuch } from '../../errors.ts';
import type { Repository } from '../../repository.ts';

/**
 * If `revision` is the hash of a blob, even of one that was staged and never committed, stages it at the
 * path. Returns false if `revision` is another object.
 */
export function restoreStagedBlob(
  repository: Repository,
  revision: string,
  [path = '', ...others]: readonly string[],
): Promise<boolean> {
  return repository.withLock(async () => {
    const blob = await repository.runLocked(objectHash(`${revision}^{blob}`));
    if (blob === undefined) return false;
    if (others.length > 0) throw new Error(`Invalid paths: expected one, for the blob ${quoted(revision)}`);
    const [entry] = (await repository.runLocked(indexEntries('stage', [path]))).get(path) ?? [];
    if (entry?.stage !== 0) throw noSuch('file', path, { message: `Not a tracked file: ${quoted(path)}` });
    await repository.runLocked(stageBlob(path, entry.mode, blob));
    return true;
  });
}
