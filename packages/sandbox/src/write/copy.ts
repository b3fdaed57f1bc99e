import { isUtf8 } from 'node:buffer';
import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { quoted } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { copyFileData, type CopyingOptions } from './copy-file-data.ts';
import { CappedList } from '../capped-list.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { kindOf } from '../file-kind.ts';
import { intoNew, throughTemporary } from './into-new.ts';
import { TimeSlice } from '../time-slice.ts';
import type { WriteContext } from '../replace/write-context.ts';
import { answeredPath, walk } from '../traverse/walk.ts';

export interface CopyOptions {
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries copied. */
  progress?: ((copied: number) => void) | undefined;
  /** If the source is a symlink, copy the symlink instead of its target. */
  keepsLink?: boolean | undefined;
}

export interface Copied {
  /** The real paths: `from` of the source, `to` of the copy. */
  readonly from: string;
  readonly to: string;
  readonly files: number;
  readonly directories: number;
  /** The number of symlinks, which are copied as symlinks. */
  readonly links: number;
  /** Entries that were skipped: special files, or files that could not be read. */
  readonly skipped: CappedList<string>;
}

/** Copies a file, or a directory with its content. The destination must not exist. */
export async function copy(
  context: WriteContext,
  source: string,
  destination: string,
  options: CopyOptions = {},
): Promise<Copied> {
  const { allowed } = context;
  if (options.keepsLink) {
    using located = allowed.locateEntry(source);
    if (located.stats?.isSymbolicLink())
      return await intoNew(context, source, destination, (to) => copyLink(located, to));
  }
  using from = allowed.open(source);
  const kind = kindOf(from.stats);
  if (kind !== 'file' && kind !== 'directory')
    throw new Error(`Not a regular file or directory but a ${kind}: ${quoted(source)}`);
  return await intoNew(context, source, destination, (to) => {
    if (kind === 'directory' && `${to.path}${sep}`.startsWith(from.path + sep))
      throw new Error(`Cannot copy a directory into itself: ${quoted(source)}`);
    return kind === 'file' ? copyOne(from, to, options) : copyTree(allowed, from, to, options);
  });
}

function copyLink(from: EntryLocation, to: EntryLocation): Copied {
  symlinkSync(readlinkSync(pathOf(from), 'buffer'), pathOf(to));
  return { from: from.path, to: to.path, files: 0, directories: 0, links: 1, skipped: new CappedList() };
}

async function copyOne(from: OpenedPath, to: EntryLocation, options: CopyOptions): Promise<Copied> {
  await throughTemporary(to, (beside) => copyFileData(from, beside, options));
  return { from: from.path, to: to.path, files: 1, directories: 0, links: 0, skipped: new CappedList() };
}

async function copyTree(
  allowed: AllowedDirectories,
  from: OpenedPath,
  to: EntryLocation,
  { signal, progress }: CopyOptions,
): Promise<Copied> {
  const prefix = allowed.answerPrefix(from.path);
  const count = { files: 0, directories: 1, links: 0 };
  const skipped = new CappedList<string>();
  const done = () => count.files + count.directories + count.links;
  const slice = new TimeSlice(signal, () => progress?.(done()));
  const copying = { signal, progress: (part: number) => progress?.(done() + part) };
  const skippedDirectories = new Set<string>();
  createDirectoryLike(from.stats.mode, pathOf(to));
  let target = allowed.openAt(to.path);
  let targetOf = '';
  try {
    for (const walked of walk(allowed, from, {
      initial: true,
      enter: (entered) => !skippedDirectories.delete(entered.path) || undefined,
      unreadable: (_, reason) => skipped.push(reason),
    })) {
      const { name, path, kind, exact, directory } = walked;
      const within = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
      if (within !== targetOf) {
        target.close();
        target = allowed.openAt(join(to.path, within));
        targetOf = within;
      }
      const [here, there] = [join(directory.base, name), join(target.base, name)];
      const isKnown = !exact || isUtf8(exact);
      if (kind === 'file' && isKnown && (await copyFileIn(allowed, directory, name, there, copying))) {
        count.files++;
      } else if (kind === 'directory' && isKnown) {
        createDirectoryLike(lstatSync(here).mode, there);
        count.directories++;
      } else if (kind === 'symlink' && isKnown) {
        symlinkSync(readlinkSync(here, 'buffer'), there);
        count.links++;
      } else {
        skipped.push(answeredPath(prefix, walked).shown);
        if (kind === 'directory') skippedDirectories.add(path);
      }
      if (slice.over) await slice.pause();
    }
  } finally {
    target.close();
  }
  return { from: from.path, to: to.path, ...count, skipped };
}

/** Creates a directory with the permissions in `mode`, less the umask. Its owner gets all permissions. */
function createDirectoryLike(mode: number, path: string): void {
  mkdirSync(path, (mode & 0o777) | 0o700);
}

/** Copies one file. Returns false if it cannot be read; throws if the copy cannot be written. */
async function copyFileIn(
  allowed: AllowedDirectories,
  directory: OpenedPath,
  name: string,
  to: string,
  options: CopyingOptions,
): Promise<boolean> {
  let opened: OpenedPath;
  try {
    opened = allowed.openFileIn(directory, name);
  } catch {
    return false;
  }
  try {
    if (!mayRead(opened.base)) return false;
    await copyFileData(opened, to, options);
    return true;
  } finally {
    opened.close();
  }
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
