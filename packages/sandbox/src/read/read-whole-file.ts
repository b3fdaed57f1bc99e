import { close, closeSync, constants, fstatSync, open, openSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { readForward, readSmall } from './read-bytes.ts';

const openAsync = promisify(open);
const closeAsync = promisify(close);
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** Larger files are refused for edits, which hold the content in memory several times. */
const maxBytes = 10 * 1024 * 1024;

/** The content of a file, and its stats at the time of reading. */
export async function readWholeFile(
  target: EntryLocation,
  requestedPath: string,
): Promise<{ bytes: Buffer; stats: BigIntStats }> {
  const fd = await openAsync(join(target.parent.base, target.name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const bytes = await readForward(fd, maxBytes + 1);
    if (bytes.length > maxBytes)
      throw new Error(`Too large to change or hash (more than ${maxBytes} bytes): ${quoted(requestedPath)}`);
    return { bytes, stats };
  } finally {
    await closeAsync(fd);
  }
}

/** The same synchronously, which is faster for many files; undefined for a file that is not small. */
export function readSmallFile(target: EntryLocation): { bytes: Buffer; stats: BigIntStats } | undefined {
  const fd = openSync(join(target.parent.base, target.name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const bytes = readSmall(fd, Number(stats.size));
    return bytes && { bytes: Buffer.from(bytes), stats };
  } finally {
    closeSync(fd);
  }
}
