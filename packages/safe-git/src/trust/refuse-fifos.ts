import { lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSmallFile } from '../read-small-file.ts';
import type { AllowedDirectories } from '../access/allowed-directories.ts';

/** The files that git opens to find a repository and to read its configuration. */
const files = ['HEAD', 'commondir', 'config', 'config.worktree', 'packed-refs'];
const maxGitFileBytes = 8 * 1024;

/** Throws if git would block on a FIFO while it searches for the repository of `directory`. */
export function refuseFifos(directory: string, allowed: AllowedDirectories): void {
  let current = directory;
  while (allowed.contains(current)) {
    const gitDir = gitDirectoryOf(current);
    if (gitDir !== undefined && allowed.contains(gitDir)) {
      for (const name of files) refuseFifo(join(gitDir, name), name);
      return;
    }
    const parent = dirname(current);
    if (parent === current) return;
    current = parent;
  }
}

/** Throws if a file of a repository is a FIFO or a device, on which git would block. */
export function refuseFifo(path: string, name: string): void {
  const link = lstatSync(path, { throwIfNoEntry: false });
  const stats = link?.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : link;
  if (stats?.isFIFO() || stats?.isCharacterDevice())
    throw new Error(`Not a regular file: "${name}" of the repository`);
}

function gitDirectoryOf(directory: string): string | undefined {
  const path = join(directory, '.git');
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return exists(join(directory, 'objects')) ? directory : undefined;
  if (!stats.isFile()) {
    refuseFifo(path, '.git');
    return path;
  }
  const [, target] = /^gitdir: (.*?)\n*$/s.exec(readSmallFile(path, maxGitFileBytes)?.toString() ?? '') ?? [];
  return target && resolve(directory, target);
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
