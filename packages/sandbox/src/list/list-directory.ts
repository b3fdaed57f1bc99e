import type { OpenedPath } from '../open/path-opener.ts';
import { entriesOf, entry, UndecodableNames, type Entry } from '../traverse/directory-entries.ts';
import { byText, FirstItems } from '../first-items.ts';
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

/** Returns one page of the entries of a directory; the memory used is bounded by the size of the page. */
export async function listDirectory(
  directory: OpenedPath,
  { limit = 1000, after, signal, progress }: ListOptions = {},
): Promise<Listing> {
  let total = 0;
  const slice = new TimeSlice(signal, () => progress?.(total));
  const page = new FirstItems<Entry>(limit, (a, b) => byText(a.name, b.name));
  const undecodable = new UndecodableNames();
  for (const found of entriesOf(directory)) {
    total++;
    const kind = kindOf(found);
    const listed = entry(found.name, kind, undecodable.take(directory, found.name, kind));
    if (after === undefined || listed.name > after) page.push(listed);
    if (slice.over) await slice.pause();
  }
  const entries = page.sorted();
  const last = entries.at(-1);
  return {
    path: directory.path,
    entries,
    total,
    ...(last && page.total > entries.length && { next: last.name }),
  };
}
