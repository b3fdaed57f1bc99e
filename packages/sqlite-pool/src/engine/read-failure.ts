import { closeSync, readSync } from 'node:fs';
import type { Failure } from '../errors.ts';
import { openRegularFile } from '../regular-file.ts';

const chunkBytes = 1024 * 1024;
/** How many bytes of a file are read to test the disk. */
const maxBytes = 1024 * chunkBytes;

/** Whether the disk may have failed to read. SQLite reports that as a damaged file, too. */
export function mayBeReadFailure({ code = '' }: Failure): boolean {
  return /^SQLITE_(?:CORRUPT$|IOERR_(?:READ|CORRUPTFS|SHORT_READ)$)|^EIO$/.test(code);
}

/** Returns the failure to report after a read failed twice: a disk error if the disk cannot read the file. */
export function readFailure(path: string, failure: Failure): Failure {
  if (failure.code === 'SQLITE_CORRUPT' && isReadable(path)) return failure;
  return {
    code: 'SQLITE_IOERR_READ',
    message: 'disk I/O error',
    hint: 'The disk failed to read the file, which may be undamaged: check the disk, and copy the file to another one',
  };
}

/**
 * Whether the disk can read the file. Call it only without connections to the file, because closing a file
 * gives up this process's locks on the file.
 */
function isReadable(path: string): boolean {
  try {
    const file = openRegularFile(path);
    try {
      const buffer = Buffer.alloc(chunkBytes);
      for (let at = 0; at < maxBytes;) {
        const length = readSync(file, buffer, 0, chunkBytes, at);
        if (length === 0) return true;
        at += length;
      }
      return true;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
