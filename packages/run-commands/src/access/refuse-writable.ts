import { statSync } from 'node:fs';
import type { WritableDirectories } from './writable-directories.ts';

/**
 * Throws if the agent could change a file of the operator: it is in a writable directory, has another hard
 * link, or is writable for every user. Accepts a missing file.
 */
export function refuseWritable(file: string, what: string, writable: WritableDirectories): void {
  const directory = writable.holding(file);
  if (directory !== undefined)
    throw new Error(
      `${what} "${file}" lies in the writable directory "${directory}", or is reached by a symbolic link there, so the agent could change its own permissions; move it out of the directory`,
    );
  const status = statSync(file, { throwIfNoEntry: false });
  if (!status) return;
  if (status.nlink > 1 && writable.paths.length > 0)
    throw new Error(
      `${what} "${file}" has ${status.nlink} hard links, one of which may lie in a writable directory; replace it by a copy`,
    );
  // Not checked on Windows, where the mode does not tell who may write the file.
  if (process.platform !== 'win32' && (status.mode & 0o002) !== 0)
    throw new Error(`${what} "${file}" can be written by every user; run: chmod o-w "${file}"`);
}
