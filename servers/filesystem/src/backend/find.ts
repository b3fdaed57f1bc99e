import { lstatSync } from 'node:fs';
import type { Boundary } from './boundary.ts';
import { displayName } from './display-name.ts';
import type { Opened } from './door.ts';
import type { Kind } from './kind.ts';
import { Selection, type SelectionOptions, type Unreadable } from './selection.ts';
import { TimeSlice } from './time-slice.ts';
import { walk, type Walked } from './walk.ts';

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

  for (const walked of walk(boundary, start, selection)) {
    visited++;
    if (selection.chooses(walked) && fits(walked, options)) {
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

/** Whether size and time are as wanted; what is gone by now is not. */
function fits(
  { directory, name, kind }: Walked<unknown>,
  { minSize, maxSize, modifiedAfter, modifiedBefore }: FindOptions,
): boolean {
  const bySize = minSize !== undefined || maxSize !== undefined;
  if (!bySize && !modifiedAfter && !modifiedBefore) return true;
  if (bySize && kind !== 'file') return false;
  const stats = lstatSync(`${directory.base}/${name}`, { throwIfNoEntry: false });
  return (
    stats !== undefined &&
    stats.size >= (minSize ?? 0) &&
    stats.size <= (maxSize ?? Infinity) &&
    stats.mtimeMs >= (modifiedAfter?.getTime() ?? -Infinity) &&
    stats.mtimeMs <= (modifiedBefore?.getTime() ?? Infinity)
  );
}
