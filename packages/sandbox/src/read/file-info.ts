import type { OpenedPath } from '../open/path-opener.ts';
import { kindOf, type Kind } from '../file-kind.ts';

export interface FileInfo {
  /** The real path of the file. */
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly created: Date;
  readonly modified: Date;
  readonly accessed: Date;
  /** The permissions in octal, as `chmod` takes them: `644`. */
  readonly permissions: string;
  /**
   * The number of hard links of the file. If the file is replaced at this path, the other links keep the old
   * content.
   */
  readonly links: number;
  /** The SHA-256 of the file, if it was requested. */
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
