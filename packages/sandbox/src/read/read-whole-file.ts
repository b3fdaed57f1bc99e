import { closeSync, constants, fstatSync, openSync, type BigIntStats } from 'node:fs';
import { quoted } from '@mcp/kit';
import * as fs from '../promised-fs.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { readForward, readSmall } from './read-bytes.ts';

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** The maximum size in bytes of a file to edit, because an edit needs the content several times in memory. */
const maxBytes = 10 * 1024 * 1024;

/** The content of a file, and its stats at the time of reading. */
export interface WholeFile {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
}

/** Reads a file. Throws if it is larger than 10 MiB. */
export async function readWholeFile(target: EntryLocation, requestedPath: string): Promise<WholeFile> {
  const fd = await fs.open(pathOf(target), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const bytes = await readForward(fd, maxBytes + 1);
    if (bytes.length > maxBytes)
      throw new Error(`Too large to change or hash (more than ${maxBytes} bytes): ${quoted(requestedPath)}`);
    return { bytes, stats };
  } finally {
    await fs.close(fd);
  }
}

/** Like `readWholeFile`, but synchronous, for speed; undefined above `maxSmallBytes` bytes. */
export function readSmallFile(target: EntryLocation): WholeFile | undefined {
  const fd = openSync(pathOf(target), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const bytes = readSmall(fd, Number(stats.size));
    return bytes && { bytes: Buffer.from(bytes), stats };
  } finally {
    closeSync(fd);
  }
}
