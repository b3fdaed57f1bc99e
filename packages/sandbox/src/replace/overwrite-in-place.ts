import { constants, fstatSync, ftruncateSync, readFileSync, writeSync } from 'node:fs';
import type { EntryLocation } from '../access/entry-location.ts';
import { withOpenEntry } from './with-open-entry.ts';

const { O_CREAT, O_EXCL, O_RDWR, O_WRONLY } = constants;

/** Maximum size of a file to overwrite, in bytes: its old content stays in memory until the end. */
const maxBytes = 64 * 1024 * 1024;

/** Why a file is overwritten: its directory allows no replacement, or its access list cannot be copied. */
export type InPlaceReason = 'directory' | 'access control';

/**
 * Overwrites a file that cannot be replaced: a mount point, a file in a directory without write permission,
 * or one whose access control list cannot be copied. Not atomic: readers, and a crash, may see a part of the
 * new content. If writing fails, restores the old content.
 */
export function overwriteInPlace(target: EntryLocation, bytes: Buffer, check?: () => void): Promise<void> {
  return withOpenEntry(target, { flags: O_RDWR }, (fd) => {
    const before = contentOf(fd);
    check?.();
    try {
      writeAll(fd, bytes);
    } catch (error) {
      writeAll(fd, before);
      throw error;
    }
  });
}

/**
 * Creates a file directly under its name, in an append-only directory, where nothing can be renamed. Throws
 * `EEXIST` if the name exists.
 */
export function createInPlace(target: EntryLocation, bytes: Buffer): Promise<void> {
  const mode = { flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o666 };
  return withOpenEntry(target, mode, (fd) => writeAll(fd, bytes));
}

function contentOf(fd: number): Buffer {
  const { size } = fstatSync(fd);
  if (size > maxBytes)
    throw new Error(
      `The file cannot be changed: it has more than ${maxBytes} bytes, and its directory or access control list does not allow a new file in its place`,
    );
  return readFileSync(fd);
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
  ftruncateSync(fd, bytes.length);
}
