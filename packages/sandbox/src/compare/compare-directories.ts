import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { escapeName, messageOf } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { CappedList } from '../capped-list.ts';
import { TimeSlice } from '../time-slice.ts';
import type { UnreadablePath } from '../traverse/path-filter.ts';
import { answeredPath, walk } from '../traverse/walk.ts';
import { diffsInside } from './directory-diffs.ts';
import { haveSameContent } from './same-content.ts';
import { withBothFiles, type Side } from './side.ts';

export interface DirectoryDifferences {
  /** Relative paths, sorted and escaped for printing. Of a directory only its own path is listed. */
  readonly onlyInFirst: readonly string[];
  readonly onlyInSecond: readonly string[];
  /** Relative paths of entries that are in both directories and differ in kind or content. */
  readonly different: readonly string[];
  /** The number of files and links with the same content. */
  readonly same: number;
  /** Entries that could not be compared, with the reason. */
  readonly unreadable: CappedList<UnreadablePath>;
  /** Unified diffs of those files in `different` that are text of at most 256 KiB each, in this order. */
  readonly diff: string;
  /** Whether `diff` lacks files because it has reached `maxDiff`. */
  readonly isDiffCut: boolean;
}

interface Options {
  /** The number of characters after which the diffs are cut. Default: 0, which makes no diff. */
  readonly maxDiff?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((compared: number) => void) | undefined;
}

const maxEntries = 200_000;

/** Compares two directories by the names, kinds and bytes of their files, including ignored files. */
export async function compareDirectories(
  allowed: AllowedDirectories,
  one: OpenedPath,
  other: OpenedPath,
  { maxDiff = 0, signal, progress }: Options,
): Promise<DirectoryDifferences> {
  let compared = 0;
  const slice = new TimeSlice(signal, () => progress?.(compared));
  const unreadable = new CappedList<UnreadablePath>();
  const first = await read(allowed, one, slice, unreadable);
  const second = await read(allowed, other, slice, unreadable);
  const different: string[] = [];
  let same = 0;
  for (const [path, entry] of first.entries) {
    const counterpart = second.entries.get(path);
    if (!counterpart) continue;
    const isAlike =
      entry.kind === counterpart.kind && entry.size === counterpart.size && entry.link === counterpart.link;
    try {
      const isSame =
        isAlike &&
        (entry.kind !== 'file' ||
          (await withBothFiles(allowed, [first, second], path, (...fds) => haveSameContent(...fds, signal))));
      if (!isSame) different.push(path);
      else if (entry.kind !== 'directory') same++;
    } catch (error) {
      signal?.throwIfAborted();
      const reason = messageOf(error);
      unreadable.push({ path: escapeName(path), reason });
    }
    compared++;
    if (slice.over) await slice.pause();
  }
  different.sort();
  return {
    onlyInFirst: onlyIn(first, second),
    onlyInSecond: onlyIn(second, first),
    different: different.map((path) => escapeName(path)),
    same,
    unreadable,
    ...(await diffsInside(allowed, [first, second], different, { maxDiff, slice })),
  };
}

async function read(
  allowed: AllowedDirectories,
  start: OpenedPath,
  slice: TimeSlice,
  unreadable: CappedList<UnreadablePath>,
): Promise<Side> {
  const entries: Side['entries'] = new Map();
  const visitor = {
    initial: true,
    enter: () => true,
    unreadable: (path: string, reason: string) => unreadable.push({ path, reason }),
  };
  for (const walked of walk(allowed, start, visitor)) {
    const { directory, name, path, kind, exact } = walked;
    const at = exact ? answeredPath('', walked).path : path;
    const stats = exact ? undefined : lstatSync(join(directory.base, name), { throwIfNoEntry: false });
    const size = kind === 'file' ? (stats?.size ?? -1) : 0;
    const link = kind === 'symlink' && stats ? { link: readlinkSync(join(directory.base, name)) } : {};
    entries.set(at, { kind, size, ...link });
    if (entries.size > maxEntries) throw new Error(`More than ${maxEntries} entries; compare subdirectories`);
    if (slice.over) await slice.pause();
  }
  return { start, entries };
}

function onlyIn({ entries }: Side, other: Side): string[] {
  const missing: string[] = [];
  for (const [path, { kind }] of entries) {
    if (other.entries.has(path)) continue;
    const parent = dirname(path);
    const isInsideMissing = parent !== '.' && !other.entries.has(parent);
    if (!isInsideMissing) missing.push(`${escapeName(path)}${kind === 'directory' ? '/' : ''}`);
  }
  return missing.sort();
}
