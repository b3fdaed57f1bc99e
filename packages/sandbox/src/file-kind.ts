import type { Dirent, Stats } from 'node:fs';

export type Kind = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'device';

export function kindOf(it: Stats | Dirent | Dirent<Buffer>): Kind {
  if (it.isFile()) return 'file';
  if (it.isDirectory()) return 'directory';
  if (it.isSymbolicLink()) return 'symlink';
  if (it.isFIFO()) return 'fifo';
  if (it.isSocket()) return 'socket';
  return 'device';
}
