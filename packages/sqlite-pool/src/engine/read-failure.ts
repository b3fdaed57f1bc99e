import { closeSync, readSync } from 'node:fs';
import type { Failure } from '../errors.ts';
import { openRegularFile } from '../regular-file.ts';

const chunkBytes = 1024 * 1024;
/** Only the beginning of a larger file is read again. */
const maxBytes = 1024 * chunkBytes;

/** Whether a read of the disk may have failed: SQLite reports that as damage too. */
export function mayBeReadFailure({ code = '' }: Failure): boolean {
  return /^SQLITE_(?:CORRUPT$|IOERR_(?:READ|CORRUPTFS|SHORT_READ)$)|^EIO$/.test(code);
}

/** The error of a read that failed twice: that of the disk, if it cannot read the whole file. */
export function readFailure(path: string, failure: Failure): Failure {
  if (failure.code === 'SQLITE_CORRUPT' && isReadable(path)) return failure;
  return {
    code: 'SQLITE_IOERR_READ',
    message: 'disk I/O error',
    hint: 'The disk failed to read the file, which may be whole: check the disk, and copy the file to another one',
  };
}

/**
 * Closing the file gives up the locks of this process: call only after all its connections to
 * the file are closed.
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
