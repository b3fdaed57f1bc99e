import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SymlinkedPaths } from '../../access/symlinked-paths.ts';
import { hashFiles } from '../../commands/objects/compare-blobs.ts';
import { flaggedEntries, type FlaggedEntry } from '../../commands/work-tree/index-entries.ts';
import type { Repository } from '../../repository.ts';

/**
 * The existing tracked files whose changes git does not look for, because they have the flag
 * assume-unchanged or, if `skipped`, the flag skip-worktree. Git overwrites the first without a word. Files
 * with the second are overwritten only by a restore from a revision, or removed with their work tree.
 */
export async function unseenChanges(
  repository: Repository,
  paths: readonly string[],
  { skipped }: { readonly skipped: boolean },
): Promise<string[]> {
  const flagged = (await repository.run(flaggedEntries(paths))).filter((entry) => skipped || !entry.skipped);
  if (flagged.length === 0) return [];
  const { top } = await repository.layout();
  const linked = new SymlinkedPaths(top);
  const found = flagged.flatMap((entry) => {
    const stats = linked.has(Buffer.from(entry.path)) ? undefined : statsOf(join(top, entry.path));
    return stats === undefined || entry.mode === submodule ? [] : [{ entry, stats }];
  });
  // `hashFiles` reads one path per line. A file with a line break in its path counts as changed.
  const files = found.filter(({ entry, stats }) => stats.isFile() && !/[\n\r"]/.test(entry.path));
  const names = files.map(({ entry }) => entry.path);
  const hashes = names.length === 0 ? [] : await repository.run(hashFiles(names));
  const same = new Set(
    files.filter(({ entry, stats }, at) => hashes[at] === entry.hash && hasMode(entry, stats.mode)),
  );
  return found
    .filter((each) => !same.has(each) && !(each.stats.isSymbolicLink() && isSameLink(top, each.entry)))
    .map(({ entry }) => entry.path);
}

const submodule = '160000';

function hasMode({ mode }: FlaggedEntry, found: number): boolean {
  return mode === ((found & 0o100) === 0 ? '100644' : '100755');
}

function isSameLink(top: string, { path, mode, hash }: FlaggedEntry): boolean {
  const target = readlinkSync(join(top, path), { encoding: 'buffer' });
  const hasher = createHash(hash.length === 40 ? 'sha1' : 'sha256');
  return mode === '120000' && hasher.update(`blob ${target.length}\0`).update(target).digest('hex') === hash;
}

/** Returns undefined if the path does not exist or has a parent that is a file. */
function statsOf(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
