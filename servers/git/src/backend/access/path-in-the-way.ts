import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Finds the path that keeps a file from being created at a path of the work tree: the path itself if it
 * exists, or the parent that is not a directory; undefined without one.
 */
export function pathInTheWay(top: string, path: string): string | undefined {
  const names = path.split('/');
  for (let end = 1; end <= names.length; end++) {
    const parent = names.slice(0, end);
    const stats = lstatSync(join(top, ...parent), { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!stats.isDirectory()) return parent.join('/');
  }
  return path;
}

/** The entries in the way of these paths, each once. */
export function pathsInTheWay(top: string, paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => pathInTheWay(top, path) ?? []))];
}
