import { dirname, join } from 'node:path';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../access/path-opener.ts';
import type { CappedList } from '../capped-list.ts';
import { toPathError } from '../errors.ts';
import { hashOf } from '../read/hash-file.ts';
import type { UnreadablePath } from '../traverse/path-filter.ts';
import { find, type FindOptions, type FoundEntry } from './find-files.ts';

export interface Duplicates {
  /** Files with the same content, largest first; at most `limit` groups after `skip`. */
  readonly groups: readonly { readonly size: number; readonly files: readonly FoundEntry[] }[];
  /** The number of groups on all pages, and of their files. */
  readonly total: number;
  readonly files: number;
  /** The bytes of all but one file of each group. */
  readonly redundantBytes: number;
  readonly searched: number;
  readonly unreadable: CappedList<UnreadablePath>;
}

const maxFiles = 200_000;

/** Finds files with the same content: those of the same size, compared by SHA-256. Empty files are no duplicates. */
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
  const groups = new Map<string, { size: number; files: FoundEntry[] }>();
  let hashed = 0;
  for (const [index, file] of found.matches.entries()) {
    const isAlone = ![found.matches[index - 1], found.matches[index + 1]].some(
      (other) => other?.size === file.size,
    );
    if (isAlone) continue;
    try {
      const key = `${file.size} ${await hashInside(allowed, join(start.path, file.path.slice(prefix.length)), signal)}`;
      const group = groups.get(key);
      if (group) group.files.push(file);
      else groups.set(key, { size: file.size ?? 0, files: [file] });
    } catch (error) {
      signal?.throwIfAborted();
      unreadable.push({ path: file.shown, reason: toPathError(error, file.path).message });
    }
    if (++hashed % 100 === 0) progress?.(found.visited + hashed);
  }
  const all = [...groups.values()].filter(({ files }) => files.length > 1);
  return {
    groups: all.slice(skip, skip + limit),
    total: all.length,
    files: all.reduce((sum, { files }) => sum + files.length, 0),
    redundantBytes: all.reduce((sum, { size, files }) => sum + size * (files.length - 1), 0),
    searched: found.total,
    unreadable,
  };
}

/** The SHA-256 of a file at a real path, in a directory that is verified once it is open. */
async function hashInside(allowed: AllowedDirectories, path: string, signal?: AbortSignal): Promise<string> {
  const directory = allowed.openAt(dirname(path));
  try {
    const file = allowed.openFileIn(directory, path.slice(dirname(path).length).replace(/^[/\\]/, ''));
    try {
      return await hashOf(file.readable(), signal);
    } finally {
      file.close();
    }
  } finally {
    directory.close();
  }
}
