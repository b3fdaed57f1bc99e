import { lstatSync } from 'node:fs';

/** Whether there is a directory at a path, and not a symlink to one. */
export function isDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
