import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/**
 * Resolves a path relative to the configuration's directory; one that begins with `~/`, to the home
 * directory.
 */
export function pathFrom(directory: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(directory, path);
}
