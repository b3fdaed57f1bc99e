import { lstatSync } from 'node:fs';
import type { OpenedPath } from '../access/path-opener.ts';
import { entriesOf, entry, UndecodableNames, pathOf, type Entry } from '../traverse/directory-entries.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';

export interface ListSizesOptions {
  /** By name, or by size in descending order. Default: `name`. */
  sortBy?: 'name' | 'size' | undefined;
  /** The maximum number of entries. Default: 1,000. */
  limit?: number | undefined;
  /** The number of entries to skip, those of the previous pages. */
  skip?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries seen. */
  progress?: ((seen: number) => void) | undefined;
}

export interface Sizes {
  /** The real path. */
  readonly path: string;
  readonly entries: readonly (Entry & { readonly size: number })[];
  readonly files: number;
  readonly directories: number;
  readonly total: number;
  /** The sum of the sizes of all files, in bytes. */
  readonly bytes: number;
  /** Whether there are more entries after this page. */
  readonly more: boolean;
}

/** One page of the entries of a directory, with sizes in bytes; 0 for anything but files. */
export async function listSizes(
  directory: OpenedPath,
  { sortBy = 'name', limit = 1000, skip = 0, signal, progress }: ListSizesOptions = {},
): Promise<Sizes> {
  const slice = new TimeSlice(signal);
  const count = { files: 0, directories: 0, total: 0, bytes: 0 };
  const byName = (a: Sized, b: Sized) => (a.name < b.name ? -1 : 1);
  const order = sortBy === 'size' ? (a: Sized, b: Sized) => b.size - a.size || byName(a, b) : byName;
  const end = skip + limit;
  let kept: Sized[] = [];
  const exactNames = new UndecodableNames();
  for (const found of entriesOf(directory)) {
    const { name } = found;
    const kind = kindOf(found);
    const exact = exactNames.take(directory, name, kind);
    const size = kind === 'file' ? sizeOf(pathOf(directory, name, exact)) : 0;
    count.total++;
    count.bytes += size;
    if (kind === 'file') count.files++;
    else if (kind === 'directory') count.directories++;
    kept.push({ name: exact ? entry(name, kind, exact).name : name, rawName: name, kind, size, exact });
    // Truncated early, because sorting a very long list would block the event loop.
    if (kept.length > 2 * end + 1000) kept = kept.sort(order).slice(0, end);
    if (slice.over) {
      progress?.(count.total);
      await slice.pause();
    }
  }
  const page = kept.sort(order).slice(skip, end);
  return {
    path: directory.path,
    entries: page.map(({ rawName, kind, size, exact }) => ({ ...entry(rawName, kind, exact), size })),
    ...count,
    more: skip + page.length < count.total,
  };
}

interface Sized {
  /** Escaped where it is not UTF-8, so that each is different. */
  readonly name: string;
  readonly rawName: string;
  readonly kind: Kind;
  readonly size: number;
  readonly exact: Buffer | undefined;
}

function sizeOf(path: string | Buffer): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
