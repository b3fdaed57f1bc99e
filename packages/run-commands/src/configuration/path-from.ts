import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/**
 * A path of the configuration, which is relative to the directory of its file; `~/` is the home directory.
 */
export function pathFrom(directory: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(directory, path);
}
