import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { entriesOf, entry, UndecodableNames, pathOf, type Entry } from '../traverse/directory-entries.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';
import { walk } from '../traverse/walk.ts';

export interface ListSizesOptions {
  /** The order of the entries: by name, or by size or modification time, descending. Default: `name`. */
  sortBy?: 'name' | 'size' | 'modified' | undefined;
  /** Give each directory the total size of the files in it. Default: false. */
  recursive?: boolean | undefined;
  /** The maximum number of entries. Default: 1,000. */
  limit?: number | undefined;
  /** The number of entries to skip, those of the previous pages. Default: 0. */
  skip?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries seen. */
  progress?: ((seen: number) => void) | undefined;
}

export interface SizedEntry extends Entry {
  /** The size in bytes: of a file, or, with `recursive`, of all files in a directory; 0 for other entries. */
  readonly size: number;
  readonly modified: Date;
}

export interface Sizes {
  /** The real path of the directory. */
  readonly path: string;
  readonly entries: readonly SizedEntry[];
  readonly files: number;
  readonly directories: number;
  readonly total: number;
  /** The sum of the sizes of all files, in bytes; with `recursive`, also of those in subdirectories. */
  readonly bytes: number;
  /** The number of all files in subdirectories, with `recursive`. */
  readonly filesInside: number;
  /** With `recursive`, the number of subdirectories that could not be read. */
  readonly unreadable: number;
  /** Whether there are more entries after this page. */
  readonly more: boolean;
}

/** Returns one page of the entries of a directory, with their sizes and modification times. */
export async function listSizes(
  allowed: AllowedDirectories,
  directory: OpenedPath,
  { sortBy = 'name', recursive = false, limit = 1000, skip = 0, signal, progress }: ListSizesOptions = {},
): Promise<Sizes> {
  const slice = new TimeSlice(signal);
  const count = { files: 0, directories: 0, total: 0, bytes: 0, filesInside: 0, unreadable: 0 };
  const inside = recursive
    ? await sizesInside(allowed, directory, slice, progress)
    : { sizes: new Map<string, number>(), files: 0, unreadable: 0, seen: 0 };
  count.filesInside = inside.files;
  count.unreadable = inside.unreadable;
  const order = orders[sortBy];
  const end = skip + limit;
  let kept: Sized[] = [];
  const exactNames = new UndecodableNames();
  for (const found of entriesOf(directory)) {
    const { name } = found;
    const kind = kindOf(found);
    const exact = exactNames.take(directory, name, kind);
    const stats = lstatSync(pathOf(directory, name, exact), { throwIfNoEntry: false });
    const size = kind === 'file' ? (stats?.size ?? 0) : (inside.sizes.get(name) ?? 0);
    count.total++;
    count.bytes += size;
    if (kind === 'file') count.files++;
    else if (kind === 'directory') count.directories++;
    const sortName = exact ? entry(name, kind, exact).name : name;
    kept.push({ name: sortName, rawName: name, kind, size, time: stats?.mtimeMs ?? 0, exact });
    // The list is shortened while it grows, because sorting a very long list would block the event loop.
    if (kept.length > 2 * end + 1000) kept = kept.sort(order).slice(0, end);
    if (slice.over) {
      progress?.(inside.seen + count.total);
      await slice.pause();
    }
  }
  const page = kept.sort(order).slice(skip, end);
  return {
    path: directory.path,
    entries: page.map(({ rawName, kind, size, time, exact }) => ({
      ...entry(rawName, kind, exact),
      size,
      modified: new Date(time),
    })),
    ...count,
    more: skip + page.length < count.total,
  };
}

interface Sized {
  /** The name for sorting: escaped if it is not UTF-8, so that no two entries have the same one. */
  readonly name: string;
  readonly rawName: string;
  readonly kind: Kind;
  readonly size: number;
  readonly time: number;
  readonly exact: Buffer | undefined;
}

const byName = (a: Sized, b: Sized) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const orders: Record<'name' | 'size' | 'modified', (a: Sized, b: Sized) => number> = {
  name: byName,
  size: (a, b) => b.size - a.size || byName(a, b),
  modified: (a, b) => b.time - a.time || byName(a, b),
};

/** Returns the bytes of all files in each subdirectory, by its name; ignored directories are included. */
async function sizesInside(
  allowed: AllowedDirectories,
  start: OpenedPath,
  slice: TimeSlice,
  progress: ListSizesOptions['progress'],
) {
  const sizes = new Map<string, number>();
  let files = 0;
  let unreadable = 0;
  let seen = 0;
  const visitor = { initial: true, enter: () => true, unreadable: () => void unreadable++ };
  for (const { directory, name, path, kind, depth } of walk(allowed, start, visitor)) {
    seen++;
    if (kind === 'file' && depth > 0) {
      files++;
      const top = path.slice(0, path.indexOf('/'));
      const { size } = lstatSync(join(directory.base, name), { throwIfNoEntry: false }) ?? { size: 0 };
      sizes.set(top, (sizes.get(top) ?? 0) + size);
    }
    if (slice.over) {
      progress?.(seen);
      await slice.pause();
    }
  }
  return { sizes, files, unreadable, seen };
}
