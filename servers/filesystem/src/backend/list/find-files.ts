import { lstatSync } from 'node:fs';
import type { Boundary } from '../access/allowed-directories.ts';
import { displayName } from '../display-name.ts';
import type { Opened } from '../access/path-opener.ts';
import { ExactNames, pathOf } from '../traverse/directory-entries.ts';
import type { Kind } from '../file-kind.ts';
import { Selection, type SelectionOptions, type Unreadable } from '../traverse/path-filter.ts';
import { TimeSlice } from '../time-slice.ts';
import { walk, type Walked } from '../traverse/walk.ts';

export interface FindOptions extends Omit<SelectionOptions, 'pattern'> {
  /** At most so many matches. */
  limit?: number | undefined;
  /** Only files of so many bytes. */
  minSize?: number | undefined;
  maxSize?: number | undefined;
  /** Only what was changed in this time. */
  modifiedAfter?: Date | undefined;
  modifiedBefore?: Date | undefined;
  signal?: AbortSignal | undefined;
  /** Hears now and then how many files and directories have been looked at. */
  progress?: ((visited: number) => void) | undefined;
}

export interface Match {
  /** From the directory that was searched, with `/` between names. */
  readonly path: string;
  readonly shown: string;
  readonly kind: Kind;
}

export interface Found {
  /** The real path of the directory that was searched. */
  readonly path: string;
  /** Sorted by path. */
  readonly matches: readonly Match[];
  /** Whether there are more than the limit allowed. */
  readonly more: boolean;
  readonly visited: number;
  /** Directories that could not be looked into, and why; the first hundred. */
  readonly unreadable: Unreadable;
}

/** Files and directories beneath a directory whose path matches a pattern. */
export async function find(
  boundary: Boundary,
  start: Opened,
  pattern: string,
  options: FindOptions = {},
): Promise<Found> {
  const { limit = 1000, signal, progress } = options;
  const selection = new Selection(boundary, start, { ...options, pattern });
  const matches: Match[] = [];
  const slice = new TimeSlice(signal);
  let visited = 0;
  let more = false;
  const fits = fitting(options);

  for (const walked of walk(boundary, start, selection)) {
    visited++;
    if (selection.chooses(walked) && fits(walked)) {
      more = matches.length === limit;
      if (more) break;
      matches.push({ path: walked.path, shown: displayName(walked.path), kind: walked.kind });
    }
    if (slice.over) {
      progress?.(visited);
      await slice.pause();
    }
  }
  matches.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { path: start.path, matches, more, visited, unreadable: selection.unreadablePaths };
}

/** Says whether size and time are as wanted; what is gone by now is not. */
function fitting({ minSize, maxSize, modifiedAfter, modifiedBefore }: FindOptions) {
  const bySize = minSize !== undefined || maxSize !== undefined;
  const exact = new ExactNames();
  return ({ directory, name, kind }: Walked<unknown>): boolean => {
    if (!bySize && !modifiedAfter && !modifiedBefore) return true;
    if (bySize && kind !== 'file') return false;
    const path = pathOf(directory, name, exact.take(directory, name, kind));
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
