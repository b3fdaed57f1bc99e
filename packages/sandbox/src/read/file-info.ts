import type { OpenedPath } from '../access/path-opener.ts';
import { kindOf, type Kind } from '../file-kind.ts';

export interface FileInfo {
  /** The real path. */
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly created: Date;
  readonly modified: Date;
  readonly accessed: Date;
  /** Octal, as `chmod` takes it: `644`. */
  readonly permissions: string;
  /** The number of hard links. Replacing the file detaches this name from the others. */
  readonly links: number;
  /** The SHA-256 of a file, where it was requested. */
  readonly hash?: string;
}

/** The metadata of a file. */
export function fileInfo({ path, stats }: OpenedPath): FileInfo {
  return {
    path,
    kind: kindOf(stats),
    size: stats.size,
    created: stats.birthtime,
    modified: stats.mtime,
    accessed: stats.atime,
    permissions: (stats.mode & 0o7777).toString(8).padStart(3, '0'),
    links: stats.nlink,
  };
}
