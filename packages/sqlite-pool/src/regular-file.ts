import { closeSync, constants, fstatSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseError, Refused } from './errors.ts';

/**
 * With these flags, opening a file does not block on a FIFO, and fails for a symlink. Windows has neither
 * flag.
 */
const safeFlags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file. Throws for other files, or if its directory was replaced by a symlink. */
export function openRegularFile(path: string, flags: number = constants.O_RDONLY, mode?: number): number {
  assertDirectoryUnchanged(path);
  const file = openSync(path, flags | safeFlags, mode);
  try {
    if (!fstatSync(file).isFile()) throw new Refused(`Not a regular file: "${path}"`);
    // The directory is checked again, because it may have been replaced before the file was opened.
    assertDirectoryUnchanged(path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Throws if a directory of the path is a symlink now. When the server started, the path had no symlinks. */
export function assertDirectoryUnchanged(path: string): void {
  const directory = dirname(path);
  let real: string;
  try {
    real = realpathSync(directory);
  } catch (error) {
    throw new DatabaseError(
      { code: 'SQLITE_CANTOPEN', message: `No such directory: "${directory}"` },
      { cause: error },
    );
  }
  if (real === directory) return;
  throw new DatabaseError({
    code: 'SQLITE_CANTOPEN',
    message: `The directory was replaced by a symlink: "${directory}"`,
    hint: 'Restart the program to use the files at their new place',
  });
}
