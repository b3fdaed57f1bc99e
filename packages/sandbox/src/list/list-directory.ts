import type { OpenedPath } from '../open/path-opener.ts';
import { entriesOf, entry, UndecodableNames, type Entry } from '../traverse/directory-entries.ts';
import { kindOf } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';

export interface ListOptions {
  /** The maximum number of entries. Default: 1,000. */
  limit?: number | undefined;
  /** The name of the last entry of the previous page. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries seen. */
  progress?: ((seen: number) => void) | undefined;
}

export interface Listing {
  /** The real path of the directory. */
  readonly path: string;
  /** The entries of the page, sorted by name. */
  readonly entries: readonly Entry[];
  /** The number of entries in the directory. */
  readonly total: number;
  /** The value of `after` for the next page, when there is one. */
  readonly next?: string;
}

interface Named {
  /** The name as the result contains it: escaped if it is not UTF-8. */
  readonly name: string;
  readonly shown: string | undefined;
  readonly kind: Entry['kind'];
}

/** Returns one page of the entries of a directory; the memory used is bounded by the size of the page. */
export async function listDirectory(
  directory: OpenedPath,
  { limit = 1000, after, signal, progress }: ListOptions = {},
): Promise<Listing> {
  const slice = new TimeSlice(signal);
  let total = 0;
  let remaining = 0;
  let page: Named[] = [];
  // Several names that are not UTF-8 may decode to the same string, so that pages sort and name them in their
  // escaped form.
  const undecodable = new UndecodableNames();
  for (const found of entriesOf(directory)) {
    total++;
    const kind = kindOf(found);
    const exact = undecodable.take(directory, found.name, kind);
    const { name, shown } = exact ? entry(found.name, kind, exact) : { name: found.name, shown: undefined };
    if (after === undefined || name > after) {
      remaining++;
      page.push({ name, shown, kind });
      if (page.length > 2 * limit + 1000) page = firstOf(page, limit);
    }
    if (slice.over) {
      progress?.(total);
      await slice.pause();
    }
  }
  page = firstOf(page, limit);

  const last = page.at(-1);
  return {
    path: directory.path,
    entries: page.map(({ name, shown, kind }) =>
      shown === undefined ? entry(name, kind) : { name, shown, kind },
    ),
    total,
    ...(last && remaining > page.length && { next: last.name }),
  };
}

function firstOf(entries: Named[], limit: number): Named[] {
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).slice(0, limit);
}
