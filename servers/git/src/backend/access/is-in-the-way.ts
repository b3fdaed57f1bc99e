import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a file cannot be created at a path of the work tree: it exists, or a parent is not a directory. */
export function isInTheWay(top: string, path: string): boolean {
  const names = path.split('/');
  for (let end = 1; end <= names.length; end++) {
    const stats = lstatSync(join(top, ...names.slice(0, end)), { throwIfNoEntry: false });
    if (!stats) return false;
    if (!stats.isDirectory()) return true;
  }
  return true;
}
