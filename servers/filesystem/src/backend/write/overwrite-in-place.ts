import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EntryLocation } from '../access/allowed-directories.ts';

const fsyncAsync = promisify(fsync);
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_WRONLY } = constants;

/** The old content of larger files is not kept in memory, so they are refused. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Overwrites the content of a file that cannot be replaced: a mount point, or a file in a directory that is not writable.
 * Not atomic: readers may see a part, and so may a crash. Other failures restore the old content.
 */
export async function overwriteInPlace(target: EntryLocation, bytes: Buffer, check?: () => void) {
  const fd = openSync(join(target.parent.base, target.name), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    if (size > maxBytes)
      throw new Error(
        `Too large to overwrite in place (more than ${maxBytes} bytes): make its directory writable`,
      );
    const before = Buffer.alloc(size);
    for (let at = 0; at < size;) {
      const bytesRead = readSync(fd, before, at, size - at, at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    check?.();
    try {
      writeAll(fd, bytes);
    } catch (error) {
      writeAll(fd, before);
      throw error;
    }
    await fsyncAsync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Creates a file where no temporary file can be renamed. Throws `EEXIST` where one exists. */
export async function createInPlace(target: EntryLocation, bytes: Buffer): Promise<void> {
  const fd = openSync(join(target.parent.base, target.name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    writeAll(fd, bytes);
    await fsyncAsync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
  ftruncateSync(fd, bytes.length);
}
