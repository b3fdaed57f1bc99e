import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/** Resolves a path of the configuration. It is relative to `directory`; `~/` is the home directory. */
export function pathFrom(directory: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(directory, path);
}
