import { close, constants, fstatSync, open, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { readForward } from './read-bytes.ts';

const openAsync = promisify(open);
const closeAsync = promisify(close);
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** Files larger than this are not changed in place: all of it has to be in memory several times over. */
const largest = 10 * 1024 * 1024;

/** All of the file in a place, and what it was when it was read. */
export async function readExisting(
  place: Place,
  asked: string,
): Promise<{ bytes: Buffer; stats: BigIntStats }> {
  const fd = await openAsync(join(place.parent.base, place.name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const bytes = await readForward(fd, largest + 1);
    if (bytes.length > largest)
      throw new Error(`Too large to be changed (more than ${largest} bytes): ${quoted(asked)}`);
    return { bytes, stats };
  } finally {
    await closeAsync(fd);
  }
}
