import { lstatSync } from 'node:fs';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { bytePathOf, entriesOf, entry, UndecodableNames, type Entry } from '../traverse/directory-entries.ts';
import { kindOf } from '../file-kind.ts';
import { byText, FirstItems } from '../first-items.ts';
import { TimeSlice } from '../time-slice.ts';
import { walk, type WalkedEntry } from '../traverse/walk.ts';

export interface ListSizesOptions {
  /** The order of the entries: by name, or by size or time, largest or latest first. Default: `name`. */
  sortBy?: 'name' | 'size' | 'modified' | undefined;
  /** Give each directory the total size of the files in it. Default: false. */
  recursive?: boolean | undefined;
  /** The maximum number of entries. Default: 1,000. */
  limit?: number | undefined;
  /** The number of entries to skip, usually those of the previous pages. Default: 0. */
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
  /** The sum of the sizes of all files, in bytes; with `recursive`, this includes files in subdirectories. */
  readonly bytes: number;
  /** With `recursive`, the number of all files in subdirectories; otherwise 0. */
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
  const count = { files: 0, directories: 0, bytes: 0, filesInside: 0, unreadable: 0 };
  let seen = 0;
  const slice = new TimeSlice(signal, () => progress?.(seen));
  /** The bytes of all files in each subdirectory, by its name; ignored directories are included. */
  const bytesInside = new Map<string, number>();
  const visitor = { initial: true, enter: () => true, unreadable: () => void count.unreadable++ };
  for (const found of recursive ? walk(allowed, directory, visitor) : []) {
    seen++;
    if (found.kind === 'file' && found.depth > 0) {
      count.filesInside++;
      const top = found.path.slice(0, found.path.indexOf('/'));
      bytesInside.set(top, (bytesInside.get(top) ?? 0) + (statsOf(found)?.size ?? 0));
    }
    if (slice.over) await slice.pause();
  }
  const first = new FirstItems(skip + limit, orders[sortBy]);
  const undecodable = new UndecodableNames();
  for (const found of entriesOf(directory)) {
    const { name } = found;
    const kind = kindOf(found);
    const exact = undecodable.take(directory, name, kind);
    const stats = statsOf({ directory, name, exact });
    const size = kind === 'file' ? (stats?.size ?? 0) : (bytesInside.get(name) ?? 0);
    seen++;
    count.bytes += size;
    if (kind === 'file') count.files++;
    else if (kind === 'directory') count.directories++;
    first.push({ ...entry(name, kind, exact), size, modified: new Date(stats?.mtimeMs ?? 0) });
    if (slice.over) await slice.pause();
  }
  const { total } = first;
  const entries = first.sorted().slice(skip);
  return { path: directory.path, entries, ...count, total, more: skip + entries.length < total };
}

const byName = (a: SizedEntry, b: SizedEntry) => byText(a.name, b.name);
const orders: Record<'name' | 'size' | 'modified', (a: SizedEntry, b: SizedEntry) => number> = {
  name: byName,
  size: (a, b) => b.size - a.size || byName(a, b),
  modified: (a, b) => b.modified.getTime() - a.modified.getTime() || byName(a, b),
};

function statsOf({ directory, name, exact }: Pick<WalkedEntry<unknown>, 'directory' | 'name' | 'exact'>) {
  return lstatSync(bytePathOf(directory, name, exact), { throwIfNoEntry: false });
}
