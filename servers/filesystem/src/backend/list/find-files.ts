import { lstatSync } from 'node:fs';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../access/path-opener.ts';
import { answeredPath, pathOf, UndecodableNames, type AnsweredPath } from '../traverse/directory-entries.ts';
import type { Kind } from '../file-kind.ts';
import { PathFilter, type PathFilterOptions, type UnreadablePaths } from '../traverse/path-filter.ts';
import { TimeSlice } from '../time-slice.ts';
import { walk, type WalkedEntry } from '../traverse/walk.ts';

export interface FindOptions extends Omit<PathFilterOptions, 'pattern'> {
  /** The maximum number of matches. Default: 1,000. */
  limit?: number | undefined;
  /** Only files of at least, and at most, this many bytes. */
  minSize?: number | undefined;
  maxSize?: number | undefined;
  /** Only what was modified in this period. */
  modifiedAfter?: Date | undefined;
  modifiedBefore?: Date | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries visited. */
  progress?: ((visited: number) => void) | undefined;
}

export interface FoundEntry extends AnsweredPath {
  readonly kind: Kind;
}

export interface Found {
  /** The real path of the searched directory. */
  readonly path: string;
  /** Sorted by path. */
  readonly matches: readonly FoundEntry[];
  /** Whether there are more matches than `limit`. */
  readonly more: boolean;
  readonly visited: number;
  /** Directories that could not be read, with the reason; at most 100. */
  readonly unreadable: UnreadablePaths;
}

/** Finds files and directories inside a directory whose relative path matches a glob. */
export async function find(
  allowed: AllowedDirectories,
  start: OpenedPath,
  pattern: string,
  options: FindOptions = {},
): Promise<Found> {
  const { limit = 1000, signal, progress } = options;
  const filter = new PathFilter(allowed, start, { ...options, pattern });
  const matches: FoundEntry[] = [];
  const slice = new TimeSlice(signal);
  let visited = 0;
  let more = false;
  const isInRange = sizeAndTimeFilter(options);
  const prefix = allowed.answerPrefix(start.path);
  const undecodable = new UndecodableNames();

  for (const walked of walk(allowed, start, filter)) {
    visited++;
    const exact = undecodable.take(walked.directory, walked.name, walked.kind);
    if (filter.matches(walked) && isInRange(walked, exact)) {
      more = matches.length === limit;
      if (more) break;
      const { path, name, kind } = walked;
      matches.push({ ...answeredPath(prefix + path.slice(0, -name.length), name, kind, exact), kind });
    }
    if (slice.over) {
      progress?.(visited);
      await slice.pause();
    }
  }
  matches.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { path: start.path, matches, more, visited, unreadable: filter.unreadablePaths };
}

/** A predicate for size and modification time; false for an entry that no longer exists. */
function sizeAndTimeFilter({ minSize, maxSize, modifiedAfter, modifiedBefore }: FindOptions) {
  const bySize = minSize !== undefined || maxSize !== undefined;
  return ({ directory, name, kind }: WalkedEntry<unknown>, exact: Buffer | undefined): boolean => {
    if (!bySize && !modifiedAfter && !modifiedBefore) return true;
    if (bySize && kind !== 'file') return false;
    const path = pathOf(directory, name, exact);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return (
      stats !== undefined &&
      stats.size >= (minSize ?? 0) &&
      stats.size <= (maxSize ?? Infinity) &&
      stats.mtimeMs >= (modifiedAfter?.getTime() ?? -Infinity) &&
      stats.mtimeMs <= (modifiedBefore?.getTime() ?? Infinity)
    );
  };
}
