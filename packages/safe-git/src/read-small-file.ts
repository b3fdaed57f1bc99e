import { openSync, closeSync, constants, fstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { quoted } from './safe-text.ts';

const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * Returns undefined if the file does not exist. Throws if it is larger than `maxBytes` (default: 64 MiB) or
 * not regular. Opens it without blocking, as a FIFO would block.
 */
export function readSmallFile(path: string, maxBytes = defaultMaxBytes): Buffer | undefined {
  const name = `${quoted(basename(path))} of the repository`;
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(`Cannot read ${name} (${code})`, { cause: error });
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`Not a regular file: ${name}`);
    if (stats.size > maxBytes) throw new Error(`Too large: ${name}; at most ${maxBytes} bytes are read`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
