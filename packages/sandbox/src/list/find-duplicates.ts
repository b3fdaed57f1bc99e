import { join } from 'node:path';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import type { CappedList } from '../capped-list.ts';
import { toPathError } from '../errors.ts';
import { hashOf } from '../read/hash-file.ts';
import type { UnreadablePath } from '../traverse/path-filter.ts';
import { find, type FindOptions, type FoundEntry } from './find-files.ts';

export interface Duplicates {
  /** Groups of files with the same content, largest first: `limit` groups after the first `skip` groups. */
  readonly groups: readonly DuplicateGroup[];
  /**
   * The number of groups, and of the files in these groups, on all pages. A file with several hard links
   * counts once.
   */
  readonly total: number;
  readonly files: number;
  /** The bytes saved if each group kept one file: the sum of the sizes of all its other files. */
  readonly redundantBytes: number;
  readonly searched: number;
  readonly unreadable: CappedList<UnreadablePath>;
}

export interface DuplicateGroup {
  readonly size: number;
  /** Each file by its first path. `hardLinks` are the file's other paths, which take no further space. */
  readonly files: readonly { readonly entry: FoundEntry; readonly hardLinks: readonly FoundEntry[] }[];
}

interface Group {
  readonly size: number;
  readonly files: Map<string, { entry: FoundEntry; hardLinks: FoundEntry[] }>;
}

const maxFiles = 200_000;

/** Finds files with the same content: compares sizes, then SHA-256 hashes. Empty files are left out. */
export async function findDuplicates(
  allowed: AllowedDirectories,
  start: OpenedPath,
  pattern: string,
  { limit = 1000, skip = 0, ...options }: FindOptions = {},
): Promise<Duplicates> {
  const { signal, progress } = options;
  const kinds = ['file'] as const;
  const minSize = Math.max(1, options.minSize ?? 1);
  const found = await find(allowed, start, pattern, {
    ...options,
    kinds,
    minSize,
    sortBy: 'size',
    limit: maxFiles,
  });
  if (found.more) throw new Error(`More than ${maxFiles} files match; narrow the pattern`);
  const { unreadable } = found;
  const prefix = allowed.answerPrefix(start.path);
  const groups = new Map<string, Group>();
  const hashes = new Map<string, string>();
  let hashed = 0;
  for (const [index, file] of found.matches.entries()) {
    const isAlone = ![found.matches[index - 1], found.matches[index + 1]].some(
      (other) => other?.size === file.size,
    );
    if (isAlone) continue;
    try {
      const path = join(start.path, file.path.slice(prefix.length));
      const { identity, hash } = await hashInside(allowed, path, hashes, signal);
      const size = file.size ?? 0;
      const key = `${size} ${hash}`;
      const group = groups.get(key) ?? { size, files: new Map() };
      groups.set(key, group);
      const other = group.files.get(identity);
      if (other) other.hardLinks.push(file);
      else group.files.set(identity, { entry: file, hardLinks: [] });
    } catch (error) {
      signal?.throwIfAborted();
      unreadable.push({ path: file.shown, reason: toPathError(error, file.path).message });
    }
    if (++hashed % 100 === 0) progress?.(found.visited + hashed);
  }
  const all = [...groups.values()]
    .filter(({ files }) => files.size > 1)
    .map(({ size, files }) => ({ size, files: [...files.values()] }));
  return {
    groups: all.slice(skip, skip + limit),
    total: all.length,
    files: all.reduce((sum, { files }) => sum + files.length, 0),
    redundantBytes: all.reduce((sum, { size, files }) => sum + size * (files.length - 1), 0),
    searched: found.total,
    unreadable,
  };
}

/** Returns the identity and the SHA-256 of the file at a real path. */
async function hashInside(
  allowed: AllowedDirectories,
  path: string,
  hashes: Map<string, string>,
  signal?: AbortSignal,
): Promise<{ identity: string; hash: string }> {
  using file = allowed.openFileAt(path);
  const identity = `${file.stats.dev}:${file.stats.ino}`;
  const hash = hashes.get(identity) ?? (await hashOf(file.readable(), signal));
  hashes.set(identity, hash);
  return { identity, hash };
}
