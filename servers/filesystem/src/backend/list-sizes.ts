import { lstatSync } from 'node:fs';
import type { Opened } from './door.ts';
import { entriesOf, entry, undecodableNames, type Entry } from './entries.ts';
import { kindOf } from './kind.ts';
import { TimeSlice } from './time-slice.ts';

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
  const all: { name: string; kind: Entry['kind']; size: number }[] = [];
  let bytes = 0;
  for (const found of entriesOf(directory)) {
    const kind = kindOf(found);
    const size = kind === 'file' ? sizeOf(directory, found.name) : 0;
    bytes += size;
    all.push({ name: found.name, kind, size });
    if (slice.over) {
      progress?.(all.length);
      await slice.pause();
    }
  }
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  all.sort(sortBy === 'size' ? (a, b) => b.size - a.size || byName(a, b) : byName);
  const page = all.slice(skip, skip + limit);
  const undecodable = page.some(({ name }) => name.includes('\ufffd'))
    ? undecodableNames(directory)
    : undefined;
  return {
    path: directory.path,
    entries: page.map(({ name, kind, size }) => ({ ...entry(name, kind, undecodable), size })),
    files: all.filter(({ kind }) => kind === 'file').length,
    directories: all.filter(({ kind }) => kind === 'directory').length,
    total: all.length,
    bytes,
    more: skip + page.length < all.length,
  };
}

function sizeOf(directory: Opened, name: string): number {
  return lstatSync(`${directory.base}/${name}`, { throwIfNoEntry: false })?.size ?? 0;
}
