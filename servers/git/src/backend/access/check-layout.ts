import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Bound } from './allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { OutsideBound } from '../errors.ts';
import type { Layout } from './repository-layout.ts';
import { readSmallFile } from '../read-small-file.ts';

/** Parts of a git directory that must not be links to elsewhere. */
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
];

/** What other programs keep in a git directory, and git does not follow. */
const notGits = new Set(['annex', 'lfs', 'modules', 'svn']);
/** Not looked into: hooks are run of trusted repositories only, where they are, and loose objects are found by their hash. */
const notEntered = /^(hooks|annex|lfs|modules|svn|objects[\\/][0-9a-f]{2})$/;

const mostAlternates = 100;
/** In bytes. */
const longestAlternates = 64 * 1024;

/** Refuses a repository of which any part lies outside the bound, or is a link to there. */
export async function admitLayout({ top, gitDir, commonDir }: Layout, bound: Bound): Promise<void> {
  bound.admit(top, "The repository's work tree");
  bound.admit(gitDir, "The repository's git directory");
  bound.admit(commonDir, 'The git directory that this work tree belongs to');
  await admitLinksBeneath(gitDir, bound);
  if (commonDir !== gitDir) await admitLinksBeneath(commonDir, bound);
  await admitAlternates(join(commonDir, 'objects'), bound);
}

/** Links among the parts are looked at before every command: git replaces some of those files at every turn. */
export function admitLinks({ gitDir, commonDir }: Layout, bound: Bound): void {
  admitParts(gitDir, parts, bound);
  admitParts(commonDir, sharedParts, bound);
}

function admitParts(directory: string, names: readonly string[], bound: Bound): void {
  for (const name of names) {
    const path = join(directory, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) bound.admit(path, partCalled(name));
  }
}

/** Git reads and writes through links: a log of a branch that is one could be any file of the user's. */
async function admitLinksBeneath(root: string, bound: Bound, within = ''): Promise<void> {
  const directories = [root];
  for (const directory of directories) {
    for (const entry of await entriesOf(directory)) {
      const path = join(directory, entry.name);
      const name = within + relative(root, path);
      if (entry.isDirectory() && !notEntered.test(name)) directories.push(path);
      // Git would wait for ever for somebody at the other end.
      if (entry.isFIFO() || entry.isCharacterDevice()) throw new Error(`Not a file: ${partCalled(name)}`);
      if (entry.isSymbolicLink() && !notGits.has(name)) {
        // A name that is not UTF-8 cannot be followed from here, but git can.
        if (name.includes('\ufffd'))
          throw new OutsideBound(`${partCalled(name)} is a link under a name that is not UTF-8`);
        bound.admit(path, partCalled(name));
      }
    }
  }
}

async function entriesOf(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // It has gone meanwhile. One that may not be listed may still be gone through.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`A directory of the repository cannot be read: ${quoted(basename(directory))}`, {
      cause: error,
    });
  }
}

function partCalled(name: string): string {
  return `${quoted(name.replaceAll(sep, '/'))} of the repository`;
}

/** Refuses objects that a repository borrows from outside, itself or through those that it borrows from. */
async function admitAlternates(own: string, bound: Bound): Promise<void> {
  bound.admit(own, "The repository's objects directory");
  const all = new Set([own]);
  for (const objects of all) {
    for (const at of alternatesOf(objects, bound)) {
      bound.admit(at, 'The directory that the repository borrows objects from');
      if (all.has(at)) continue;
      if (all.size > mostAlternates)
        throw new OutsideBound('The repository borrows objects from too many others');
      all.add(at);
      await admitLinksBeneath(at, bound, 'objects/');
    }
  }
}

function alternatesOf(objects: string, bound: Bound): string[] {
  const file = join(objects, 'info', 'alternates');
  bound.admit(file, "The repository's list of alternates");
  const list = readSmallFile(file, longestAlternates);
  if (!list) return [];
  if (!isUtf8(list)) throw new OutsideBound('The repository borrows objects from a path that is not UTF-8');
  const lines = list.toString('utf8').split('\n');
  if (lines.some((line) => line.startsWith('"')))
    throw new OutsideBound('The repository borrows objects from a quoted path');
  // As git reads it: the objects where they really are, and then the path as it is written.
  const from = realpathSync.native(objects);
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => resolve(from, line))
    .filter((path) => existsSync(path));
}
