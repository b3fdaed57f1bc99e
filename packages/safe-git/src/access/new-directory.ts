import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside, type AllowedDirectories } from './allowed-directories.ts';
import { quoted } from '../safe-text.ts';
import { workTreePath } from './work-tree-path.ts';

/**
 * Returns the real path of a directory that is to be created. Throws if the path is not allowed or is in a
 * git directory, if its parent directory does not exist, or if the directory exists and is not empty.
 */
export function newDirectory(allowed: AllowedDirectories, requestedPath: string): string {
  const path = allowed.newPath(requestedPath);
  const root = allowed.directories.find((directory) => isInside(directory, path))!;
  workTreePath(path, root);
  if (existsSync(path) && !(statSync(path).isDirectory() && readdirSync(path).length === 0)) {
    throw new Error(`Already exists: ${quoted(requestedPath)}`);
  }
  if (!existsSync(dirname(path))) throw new Error(`No such directory: ${quoted(dirname(requestedPath))}`);
  return path;
}
