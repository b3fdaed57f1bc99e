import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SymlinkedPaths } from '../../access/symlinked-paths.ts';
import { readObject } from '../../commands/objects/cat-file.ts';
import { existingObjects, hashFiles } from '../../commands/objects/compare-blobs.ts';
import { restoreExactly } from '../../commands/work-tree/staging.ts';
import { status } from '../../commands/work-tree/status.ts';
import type { Repository } from '../../repository.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Maximum number of files whose content is compared with what git may have been writing. */
const maxCompared = 50;
const maxBytes = 64 * 1024 * 1024;

/**
 * Restores the files that git has written or removed since the checkpoint. A file counts as written by git if
 * its content is an object of the repository or, because git may have been stopped while writing, the
 * beginning of one of the file's versions. All other files are kept, so that no work is lost.
 */
export async function restoreWrittenFiles(
  repository: Repository,
  revisions: readonly string[],
  { commit, changed }: Pick<Checkpoint, 'commit' | 'changed'>,
): Promise<void> {
  const { entries } = await repository.runLocked(status({ trusted: repository.trusted }));
  const unexpected = entries.filter(({ path }) => !changed.has(path));
  if (commit === undefined || unexpected.length === 0) return;
  const { top } = await repository.layout();
  const symlinked = new SymlinkedPaths(top);
  const present = unexpected
    .map(({ path }) => path)
    .filter((path) => !symlinked.has(Buffer.from(path)) && isPresent(join(top, path)));
  const written = await writtenByGit(repository, [...revisions, commit], present);
  for (const { path, untracked } of unexpected)
    if (untracked && written.has(path)) removeWithParents(top, path);
  const tracked = unexpected.filter(
    ({ untracked, path }) => !untracked && (written.has(path) || !isPresent(join(top, path))),
  );
  const paths = tracked.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  if (paths.length > 0) await repository.runLocked(restoreExactly(commit, paths));
}

async function writtenByGit(
  repository: Repository,
  revisions: readonly string[],
  paths: readonly string[],
): Promise<Set<string>> {
  const { top, hash } = await repository.layout();
  const files = paths.filter((path) => !path.includes('\n') && isFile(join(top, path)));
  const links = paths.filter((path) => isLink(join(top, path)));
  if (files.length + links.length === 0) return new Set();
  const hashable = [...files, ...links];
  const hashes = [
    ...(files.length === 0 ? [] : await repository.runLocked(hashFiles(files))),
    ...links.map((path) => blobHash(hash, readlinkSync(join(top, path), 'buffer'))),
  ];
  const known = await repository.runLocked(existingObjects(hashes));
  const empty = (path: string) => lstatSync(join(top, path)).size === 0;
  // For an empty file, a known blob does not show that git wrote the file: git knows the empty blob in every
  // repository.
  const written = new Set(hashable.filter((path, index) => known[index] !== undefined && !empty(path)));
  const others = files.filter((path) => !written.has(path)).slice(0, maxCompared);
  for (const path of others) if (await isBeginning(repository, revisions, path)) written.add(path);
  return written;
}

/**
 * Whether the content of a file is the beginning of one of the file's versions, as when git is stopped while
 * it writes the file.
 */
async function isBeginning(
  repository: Repository,
  revisions: readonly string[],
  path: string,
): Promise<boolean> {
  const { top } = await repository.layout();
  const file = join(top, path);
  if (lstatSync(file).size > maxBytes) return false;
  const content = readFileSync(file);
  const names = revisions.flatMap((revision) => [`${revision}:${path}`, `${revision}^:${path}`]);
  const versions = new Set(await repository.runLocked(existingObjects(names)));
  for (const version of versions) {
    if (version === undefined) continue;
    const object = await repository.runLocked(readObject(version, maxBytes));
    if (object?.bytes.subarray(0, content.length).equals(content)) return true;
  }
  return false;
}

/** Removes a file and then, as git does, its parent directories that have become empty. */
function removeWithParents(top: string, path: string): void {
  rmSync(join(top, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    try {
      rmdirSync(join(top, parent));
    } catch {
      return;
    }
  }
}

/** The hash that git gives a blob with this content. For a symlink, the content is its target. */
function blobHash(algorithm: string, content: Buffer): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isPresent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
