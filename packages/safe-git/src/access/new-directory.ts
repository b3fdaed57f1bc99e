import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside, type AllowedDirectories } from './allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { workTreePath } from './work-tree-path.ts';

/** The path of a directory to create: allowed, absent or empty, and in no git directory. */
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
