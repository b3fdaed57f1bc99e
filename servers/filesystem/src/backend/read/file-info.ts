import type { Opened } from '../access/path-opener.ts';
import { kindOf, type Kind } from '../file-kind.ts';

export interface FileInfo {
  /** The real path. */
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly created: Date;
  readonly modified: Date;
  readonly accessed: Date;
  /** As `chmod` writes it, `644`. */
  readonly permissions: string;
  /** How many names the file has; an edit of this one leaves the others behind. */
  readonly links: number;
}

/** What is known about a file without reading it. */
export function fileInfo({ path, stats }: Opened): FileInfo {
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
