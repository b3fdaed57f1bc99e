import { openSync, closeSync, constants, fstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { quoted } from './display-name.ts';

const usualLargest = 64 * 1024 * 1024;

/** What is in a file of a git directory, and nothing where there is none. No pipe is waited for. */
export function readSmallFile(path: string, largest = usualLargest): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(`Cannot be read: ${quoted(basename(path))} of the repository (${code})`, {
      cause: error,
    });
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`Not a file: ${quoted(basename(path))} of the repository`);
    if (stats.size > largest) throw new Error(`Too large: ${quoted(basename(path))} of the repository`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
