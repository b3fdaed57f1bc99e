import { lstatSync } from 'node:fs';
import type { Opened } from '../access/path-opener.ts';
import { entriesOf, entry, ExactNames, pathOf, type Entry } from '../traverse/directory-entries.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';

export interface ListSizesOptions {
  /** By name, or the largest first. */
  sortBy?: 'name' | 'size' | undefined;
  /** At most so many entries. */
  limit?: number | undefined;
  /** How many to pass over: those of the pages before. */
  skip?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Hears now and then how many entries have been seen. */
  progress?: ((seen: number) => void) | undefined;
}

export interface Sizes {
  /** The real path. */
  readonly path: string;
  readonly entries: readonly (Entry & { readonly size: number })[];
  readonly files: number;
  readonly directories: number;
  readonly total: number;
  /** Of all files together. */
  readonly bytes: number;
  /** Whether there are entries after these. */
  readonly more: boolean;
}

/** One page of what is in a directory, with sizes; a directory's own size says nothing and is 0. */
export async function listSizes(
  directory: Opened,
  { sortBy = 'name', limit = 1000, skip = 0, signal, progress }: ListSizesOptions = {},
): Promise<Sizes> {
  const slice = new TimeSlice(signal);
  const count = { files: 0, directories: 0, total: 0, bytes: 0 };
  const byName = (a: Sized, b: Sized) => (a.name < b.name ? -1 : 1);
  const order = sortBy === 'size' ? (a: Sized, b: Sized) => b.size - a.size || byName(a, b) : byName;
  const most = skip + limit;
  let kept: Sized[] = [];
  const exactNames = new ExactNames();
  for (const found of entriesOf(directory)) {
    const { name } = found;
    const kind = kindOf(found);
    const exact = exactNames.take(directory, name, kind);
    const size = kind === 'file' ? sizeOf(pathOf(directory, name, exact)) : 0;
    count.total++;
    count.bytes += size;
    if (kind === 'file') count.files++;
    else if (kind === 'directory') count.directories++;
    kept.push({ name, kind, size, exact });
    // Sorting all of many at once would take too long for whoever waits.
    if (kept.length > 2 * most + 1000) kept = kept.sort(order).slice(0, most);
    if (slice.over) {
      progress?.(count.total);
      await slice.pause();
    }
  }
  const page = kept.sort(order).slice(skip, most);
  return {
    path: directory.path,
    entries: page.map(({ name, kind, size, exact }) => ({ ...entry(name, kind, exact), size })),
    ...count,
    more: skip + page.length < count.total,
  };
}

interface Sized {
  readonly name: string;
  readonly kind: Kind;
  readonly size: number;
  readonly exact: Buffer | undefined;
}

function sizeOf(path: string | Buffer): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
