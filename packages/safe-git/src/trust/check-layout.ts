import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { escapeName, quoted } from '../safe-text.ts';
import { OutsideAllowedDirectories } from '../errors.ts';
import type { Layout } from './repository-layout.ts';
import { readSmallFile } from '../read-small-file.ts';
import { refuseFifo } from './refuse-fifos.ts';

/**
 * Parts of a git directory that programs often replace. Before every command, they are checked for FIFOs, and
 * for symlinks that lead out of the allowed directories.
 */
const parts = [
  'HEAD',
  'index',
  'config.worktree',
  'logs',
  'MERGE_MSG',
  'COMMIT_EDITMSG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
];
const sharedParts = [
  'config',
  'packed-refs',
  'refs',
  'info',
  'logs',
  'reftable',
  'worktrees',
  'hooks',
  'shallow',
  'objects/info',
  'objects/pack',
  'info/exclude',
  'info/attributes',
];

/** Files at the top of the work tree that git reads. None may be a FIFO, on which git would block. */
const workTreeFiles = ['.gitattributes', '.gitignore', '.gitmodules'];

/**
 * Directories of other programs in the git directory. Git does not read them, so they may be symlinks that
 * lead out of the allowed directories.
 */
const foreignDirectories = new Set(['annex', 'lfs', 'modules', 'svn']);
/**
 * Symlinks in these directories are harmless: hooks run only in trusted repositories, git opens a file of
 * objects/?? only by its hash, as a compressed object, and it does not use the other directories.
 */
const skippedDirectories = /^(hooks|annex|lfs|modules|svn|objects[\\/][0-9a-f]{2})$/;

const maxAlternates = 100;

const maxAlternatesBytes = 64 * 1024;

/**
 * Throws if a part of a repository, such as its git directory, is outside the allowed directories, or is a
 * symlink that leads out of them.
 */
export async function assertLayoutAllowed(
  { top, gitDir, commonDir }: Layout,
  allowed: AllowedDirectories,
): Promise<void> {
  allowed.assertInside(top, "The repository's work tree");
  allowed.assertInside(gitDir, "The repository's git directory");
  allowed.assertInside(commonDir, 'The git directory that this work tree belongs to');
  refuseWorkTreeFifos(top);
  await assertLinksInside(gitDir, allowed);
  if (commonDir !== gitDir) await assertLinksInside(commonDir, allowed);
  await assertAlternatesInside(join(commonDir, 'objects'), allowed);
}

/**
 * Throws if a part that is often replaced is a symlink that leads out of the allowed directories. This check
 * is fast enough to run before every command.
 */
export function assertLinksAllowed({ top, gitDir, commonDir }: Layout, allowed: AllowedDirectories): void {
  assertPartsInside(gitDir, parts, allowed);
  assertPartsInside(commonDir, sharedParts, allowed);
  refuseWorkTreeFifos(top);
}

function refuseWorkTreeFifos(top: string): void {
  for (const name of workTreeFiles) refuseFifo(join(top, name), name);
}

function assertPartsInside(directory: string, names: readonly string[], allowed: AllowedDirectories): void {
  for (const name of names) {
    const path = join(directory, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || stats.isFile() || stats.isDirectory()) continue;
    if (stats.isSymbolicLink()) allowed.assertInside(path, describePart(name));
    refuseFifo(path, name);
  }
}

/**
 * Throws if a symlink in `root` leads out of the allowed directories: git would follow it, and a reflog, for
 * example, could overwrite any file of the user.
 */
async function assertLinksInside(root: string, allowed: AllowedDirectories, within = ''): Promise<void> {
  const directories = [root];
  for (const directory of directories) {
    for (const entry of await entriesOf(directory)) {
      const path = join(directory, entry.name);
      const name = within + relative(root, path);
      if (entry.isDirectory() && !skippedDirectories.test(name)) directories.push(path);
      // A FIFO is refused, because git would block on it until another process opens its other end.
      if (entry.isFIFO() || entry.isCharacterDevice())
        throw new Error(`Not a regular file: ${describePart(name)}`);
      if (entry.isSymbolicLink() && !foreignDirectories.has(name)) {
        // Git can follow a symlink whose name is not UTF-8, but this server cannot check where it leads.
        if (name.includes('\ufffd'))
          throw new OutsideAllowedDirectories(
            `${describePart(name)} is a symlink with a name that is not UTF-8`,
          );
        allowed.assertInside(path, describePart(name));
      }
    }
  }
}

async function entriesOf(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // A deleted directory is harmless. A directory that cannot be listed is refused, because git may still
    // open files in it.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new Error(
      `A directory of the repository cannot be read (${code}): ${quoted(basename(directory))}; check its permissions`,
      { cause: error },
    );
  }
}

function describePart(name: string): string {
  return `${quoted(name.replaceAll(sep, '/'))} of the repository`;
}

/**
 * Throws if a repository borrows objects (alternates) from outside the allowed directories, even indirectly.
 */
async function assertAlternatesInside(own: string, allowed: AllowedDirectories): Promise<void> {
  allowed.assertInside(own, "The repository's objects directory");
  const all = new Set([own]);
  for (const objects of all) {
    for (const at of alternatesOf(objects, allowed)) {
      allowed.assertInside(at, 'The directory that the repository borrows objects from');
      if (all.has(at)) continue;
      if (all.size > maxAlternates)
        throw new OutsideAllowedDirectories(
          `The repository borrows objects from more than ${maxAlternates} other repositories`,
        );
      all.add(at);
      await assertLinksInside(at, allowed, 'objects/');
    }
  }
}

function alternatesOf(objects: string, allowed: AllowedDirectories): string[] {
  const file = join(objects, 'info', 'alternates');
  allowed.assertInside(file, "The repository's list of alternates");
  const list = readSmallFile(file, maxAlternatesBytes);
  if (!list) return [];
  if (!isUtf8(list))
    throw new OutsideAllowedDirectories('The repository borrows objects from a path that is not UTF-8');
  const lines = list.toString('utf8').split('\n');
  const inQuotes = lines.find((line) => line.startsWith('"'));
  if (inQuotes !== undefined)
    throw new OutsideAllowedDirectories(
      `The repository borrows objects from a path in quotation marks, which this server does not read: ${escapeName(inQuotes)}`,
    );
  // Git resolves a relative path from the real path of the objects directory.
  const from = realpathSync.native(objects);
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => resolve(from, line))
    .filter((path) => existsSync(path));
}
