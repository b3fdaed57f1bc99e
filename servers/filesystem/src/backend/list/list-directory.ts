import type { Opened } from '../access/path-opener.ts';
import { entriesOf, entry, ExactNames, type Entry } from '../traverse/directory-entries.ts';
import { kindOf } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';

export interface ListOptions {
  /** At most so many entries. */
  limit?: number | undefined;
  /** Where the previous page ended. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Hears now and then how many entries have been seen. */
  progress?: ((seen: number) => void) | undefined;
}

export interface Listing {
  /** The real path. */
  readonly path: string;
  /** Sorted by name. */
  readonly entries: readonly Entry[];
  /** How many there are in all. */
  readonly total: number;
  /** Where the next page begins, when there is one. */
  readonly next?: string;
}

interface Named {
  readonly name: string;
  readonly kind: Entry['kind'];
}

/** One page of what is in a directory. Memory and answer stay small however much that is. */
export async function listDirectory(
  directory: Opened,
  { limit = 1000, after, signal, progress }: ListOptions = {},
): Promise<Listing> {
  const slice = new TimeSlice(signal);
  let total = 0;
  let remaining = 0;
  let page: Named[] = [];
  for (const found of entriesOf(directory)) {
    total++;
    if (after === undefined || found.name > after) {
      remaining++;
      page.push({ name: found.name, kind: kindOf(found) });
      if (page.length > 2 * limit + 1000) page = firstOf(page, limit);
    }
    if (slice.over) {
      progress?.(total);
      await slice.pause();
    }
  }
  page = firstOf(page, limit);

  const exact = new ExactNames();
  const last = page.at(-1);
  return {
    path: directory.path,
    entries: page.map(({ name, kind }) => entry(name, kind, exact.take(directory, name, kind))),
    total,
    ...(last && remaining > page.length && { next: last.name }),
  };
}

function firstOf(entries: Named[], limit: number): Named[] {
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).slice(0, limit);
}
