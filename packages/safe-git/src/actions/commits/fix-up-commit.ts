import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { conflictedPaths } from '../../commands/work-tree/index-entries.ts';
import { applyPatch, patchBetween } from '../../commands/work-tree/apply-patch.ts';
import { readTree, writeTree } from '../../commands/work-tree/kept-work.ts';
import { unresolvedConflicts } from '../../commands/refs/branches.ts';
import { objectHash } from '../../commands/objects/rev-parse.ts';
import type { Repository } from '../../repository.ts';
import { escapeName, quoted, shortList } from '../../safe-text.ts';
import { ancestorOfHead, rewriteCommits, type Rewritten } from './rewrite-commits.ts';

const maxNamed = 5;

/**
 * Adds the staged changes to an older commit, and copies the commits after it on top of the new commit.
 * `message` replaces the message of the older commit. The index and the files do not change, and the new HEAD
 * contains the staged changes. If the changes conflict with one of the commits, throws and moves nothing. The
 * caller must hold the lock.
 */
export async function fixUpCommit(
  repository: Repository,
  revision: string,
  message: string | undefined,
): Promise<Rewritten> {
  const ends = await ancestorOfHead(repository, revision);
  if ((await repository.runLocked(conflictedPaths())).length > 0) throw new Error(unresolvedConflicts);
  const [former, staged] = await Promise.all([
    repository.runLocked(objectHash(`${ends.head}^{tree}`)),
    repository.runLocked(writeTree()),
  ]);
  if (former === staged) {
    if (message === undefined) throw new Error('Nothing to add: nothing is staged, and there is no message');
    return rewriteCommits(repository, ends, { what: 'fixup', message });
  }
  const patch = await repository.runLocked(patchBetween(former!, staged));
  if (patch === undefined) throw new Error('Too large for a fixup: more than 64 MiB are staged');
  const { gitDir } = await repository.layout();
  const index = join(gitDir, `fixup-${process.pid}.index`);
  const treeOf = async (commit: string, isHead: boolean) => {
    if (isHead) return staged;
    await repository.runLocked(readTree(index, commit));
    const conflicts = await repository.runLocked(applyPatch(index, patch));
    if (conflicts) throw conflictError(commit, conflicts);
    return repository.runLocked(writeTree(index));
  };
  try {
    return await rewriteCommits(repository, ends, { what: 'fixup', message, treeOf });
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true });
  }
}

function conflictError(commit: string, paths: readonly string[]): Error {
  const named = shortList(paths, maxNamed, (path) =>
    path.startsWith('"') ? escapeName(path) : quoted(path),
  );
  const where = paths.length === 0 ? '' : ` in ${named}`;
  return new Error(
    `Nothing was changed: what is staged conflicts with ${commit.slice(0, 10)}${where}; it is still staged, so commit it, or name a later commit`,
  );
}
