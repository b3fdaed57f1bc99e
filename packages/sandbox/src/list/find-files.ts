import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import type { CappedList } from '../capped-list.ts';
import { byText, FirstItems } from '../first-items.ts';
import { bytePathOf, entriesOf, type AnsweredPath } from '../traverse/directory-entries.ts';
import type { Kind } from '../file-kind.ts';
import { PathFilter, type PathFilterOptions, type UnreadablePath } from '../traverse/path-filter.ts';
import { TimeSlice } from '../time-slice.ts';
import { answeredPath, walk, type WalkedEntry } from '../traverse/walk.ts';
import { NearMissCollector, type NearMisses } from './near-misses.ts';

export interface FindOptions extends Omit<PathFilterOptions, 'pattern'> {
  /** The maximum number of matches. Default: 1,000. */
  limit?: number | undefined;
  /** The number of matches to skip, usually those of the previous pages. Default: 0. */
  skip?: number | undefined;
  /**
   * The order of the matches: by path, or by size or modification time, largest or latest first; with these
   * two orders the matches contain sizes and times. Default: `path`.
   */
  sortBy?: 'path' | 'size' | 'modified' | undefined;
  /** Only entries of these kinds. Default: all. */
  kinds?: readonly Kind[] | undefined;
  /** Also find empty directories, even if `kinds` does not contain `directory`. Default: false. */
  emptyDirectories?: boolean | undefined;
  /** Only files of at least `minSize` and at most `maxSize` bytes. */
  minSize?: number | undefined;
  maxSize?: number | undefined;
  /** Only entries that were modified between these two times, which are included. */
  modifiedAfter?: Date | undefined;
  modifiedBefore?: Date | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries visited. */
  progress?: ((visited: number) => void) | undefined;
}

export interface FoundEntry extends AnsweredPath {
  readonly kind: Kind;
  /** The size of a file in bytes; missing for other kinds, and if the matches are sorted by path. */
  readonly size?: number;
  readonly modified?: Date;
}

export interface Found {
  /** The real path of the searched directory. */
  readonly path: string;
  /** The matches of one page, in the order of `sortBy`. */
  readonly matches: readonly FoundEntry[];
  /** The number of matches on all pages. */
  readonly total: number;
  /** Whether there are more matches after this page. */
  readonly more: boolean;
  readonly visited: number;
  /** Directories that could not be read, with the reason. */
  readonly unreadable: CappedList<UnreadablePath>;
  /** The number of matches left out in skipped directories such as `node_modules`, by directory name. */
  readonly leftOut?: ReadonlyMap<string, number>;
  /** All directories above the matches that `leftOut` counts, written like the paths of `matches`. */
  readonly leftOutIn?: ReadonlySet<string>;
  /** Entries that nearly match the pattern; missing if an entry matches. */
  readonly nearMisses?: NearMisses;
}

/** Finds the files and directories whose path, relative to the directory `start`, matches a glob. */
export async function find(
  allowed: AllowedDirectories,
  start: OpenedPath,
  pattern: string,
  options: FindOptions = {},
): Promise<Found> {
  const { limit = 1000, skip = 0, sortBy = 'path', signal, progress } = options;
  const first = new FirstItems(skip + limit, orders[sortBy]);
  let visited = 0;
  const slice = new TimeSlice(signal, () => progress?.(visited));
  const entries = new MatchingEntries(allowed, start, pattern, options);
  for (const found of entries) {
    visited++;
    if (found) first.push(found);
    if (slice.over) await slice.pause();
  }
  const { total } = first;
  const matches = first.sorted().slice(skip);
  const { unreadable, leftOut, leftOutIn } = entries;
  return {
    path: start.path,
    matches,
    total,
    more: skip + matches.length < total,
    visited,
    unreadable,
    ...(leftOut.size > 0 && { leftOut, leftOutIn }),
    ...(total === 0 && { nearMisses: entries.nearMisses }),
  };
}

const byPath = (a: FoundEntry, b: FoundEntry) => byText(a.path, b.path);
const orders: Record<'path' | 'size' | 'modified', (a: FoundEntry, b: FoundEntry) => number> = {
  path: byPath,
  size: (a, b) => (b.size ?? 0) - (a.size ?? 0) || byPath(a, b),
  modified: (a, b) => (b.modified?.getTime() ?? 0) - (a.modified?.getTime() ?? 0) || byPath(a, b),
};

/** Yields the matching entries of a directory, and undefined for all others, so that the caller can pause. */
class MatchingEntries implements Iterable<FoundEntry | undefined> {
  readonly unreadable: CappedList<UnreadablePath>;
  readonly leftOut = new Map<string, number>();
  readonly leftOutIn = new Set<string>();
  readonly #allowed: AllowedDirectories;
  readonly #start: OpenedPath;
  readonly #filter: PathFilter;
  readonly #pattern: string;
  readonly #options: FindOptions;
  readonly #prefix: string;
  readonly #needsStats: boolean;
  readonly #nearMisses = new NearMissCollector();

  constructor(allowed: AllowedDirectories, start: OpenedPath, pattern: string, options: FindOptions) {
    this.#allowed = allowed;
    this.#start = start;
    this.#pattern = pattern;
    this.#options = options;
    this.#filter = new PathFilter(allowed, start, { ...options, pattern });
    this.unreadable = this.#filter.unreadablePaths;
    this.#prefix = allowed.answerPrefix(start.path);
    const { sortBy = 'path', minSize, maxSize, modifiedAfter, modifiedBefore } = options;
    this.#needsStats =
      sortBy !== 'path' ||
      [minSize, maxSize, modifiedAfter, modifiedBefore].some((each) => each !== undefined);
  }

  *[Symbol.iterator](): Generator<FoundEntry | undefined> {
    for (const walked of walk(this.#allowed, this.#start, this.#filter)) {
      if (this.#filter.matches(walked)) yield this.#found(walked);
      else {
        const skipped = this.#filter.skippedIn(walked);
        if (skipped === undefined) this.#nearMisses.add(walked);
        else this.#leaveOut(walked, skipped);
        yield undefined;
      }
    }
  }

  get nearMisses(): NearMisses {
    return this.#nearMisses.result(this.#pattern, this.#prefix);
  }

  /** Counts an entry of a skipped directory in `leftOut` if the entry matches the pattern. */
  #leaveOut(walked: Parameters<PathFilter['matches']>[0], skipped: string): void {
    const { kinds, repositories = 'skip' } = this.#options;
    if (repositories === 'skip' || (kinds && !kinds.includes(walked.kind))) return;
    if (!this.#filter.matchesPattern(walked)) return;
    this.leftOut.set(skipped, (this.leftOut.get(skipped) ?? 0) + 1);
    for (let end = walked.path.lastIndexOf('/'); end > 0; end = walked.path.lastIndexOf('/', end - 1)) {
      const directory = this.#prefix + walked.path.slice(0, end);
      if (this.leftOutIn.has(directory)) break;
      this.leftOutIn.add(directory);
    }
  }

  /** Returns the entry; undefined if its kind, size or time does not match, or if it no longer exists. */
  #found(walked: WalkedEntry<unknown>): FoundEntry | undefined {
    const { directory, path, name, kind, exact } = walked;
    const { kinds, sortBy = 'path' } = this.#options;
    if (kinds && !kinds.includes(kind) && !this.#isWanted(path, kind)) {
      this.#nearMisses.otherKinds++;
      return undefined;
    }
    if (!this.#needsStats) return { ...answeredPath(this.#prefix, walked), kind };
    const stats = lstatSync(bytePathOf(directory, name, exact), { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!this.#isInRange(stats, kind)) {
      this.#nearMisses.outOfRange++;
      return undefined;
    }
    const answered = { ...answeredPath(this.#prefix, walked), kind };
    if (sortBy === 'path') return answered;
    return { ...answered, ...(kind === 'file' && { size: stats.size }), modified: stats.mtime };
  }

  /** Whether an entry is an empty directory and `emptyDirectories` requests such directories. */
  #isWanted(path: string, kind: Kind): boolean {
    if (kind !== 'directory' || !this.#options.emptyDirectories) return false;
    try {
      using directory = this.#allowed.openAt(join(this.#start.path, path));
      for (const _ of entriesOf(directory)) return false;
      return true;
    } catch {
      // The walk itself reports a directory that cannot be read.
      return false;
    }
  }

  #isInRange({ size, mtimeMs }: Stats, kind: Kind): boolean {
    const { minSize, maxSize, modifiedAfter, modifiedBefore } = this.#options;
    const bySize = minSize !== undefined || maxSize !== undefined;
    return (
      (!bySize || kind === 'file') &&
      (!bySize || (size >= (minSize ?? 0) && size <= (maxSize ?? Infinity))) &&
      mtimeMs >= (modifiedAfter?.getTime() ?? -Infinity) &&
      mtimeMs <= (modifiedBefore?.getTime() ?? Infinity)
    );
  }
}
