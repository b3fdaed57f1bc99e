import { isUtf8 } from 'node:buffer';
import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, symlinkSync, unlink } from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Boundary, Place } from '../access/allowed-directories.ts';
import { copyBytes, type CopyingOptions } from './copy-file-data.ts';
import { displayBytes, displayName, quoted } from '../display-name.ts';
import type { Opened } from '../access/path-opener.ts';
import { ExactNames } from '../traverse/directory-entries.ts';
import { codeOf, failure } from '../errors.ts';
import { kindOf } from '../file-kind.ts';
import type { Queue } from '../keyed-queue.ts';
import { moveToNew } from './rename-no-replace.ts';
import { TimeSlice } from '../time-slice.ts';
import { noteTemporary, temporaryName } from './temporary-files.ts';
import { walk } from '../traverse/walk.ts';

const unlinkAsync = promisify(unlink);

export interface CopyOptions {
  signal?: AbortSignal | undefined;
  /** Hears now and then how much is copied. */
  progress?: ((copied: number) => void) | undefined;
}

export interface Copied {
  /** Real paths. */
  readonly from: string;
  readonly to: string;
  readonly files: number;
  readonly directories: number;
  /** Links are copied as links, wherever they lead. */
  readonly links: number;
  /** What is no file, directory or link, or could not be read, and was left out; the first hundred. */
  readonly left: readonly string[];
}

/** Copies a file, or a directory with all it holds, to where nothing is yet. */
export async function copy(
  boundary: Boundary,
  queue: Queue,
  source: string,
  destination: string,
  options: CopyOptions = {},
): Promise<Copied> {
  const from = boundary.open(source);
  try {
    const kind = kindOf(from.stats);
    if (kind !== 'file' && kind !== 'directory')
      throw new Error(`Not a regular file but a ${kind}: ${quoted(source)}`);
    const to = boundary.standing(destination);
    try {
      if (to.stats) throw new Error(`Already exists: ${quoted(destination)}`);
      if (kind === 'directory' && `${to.path}${sep}`.startsWith(from.path + sep))
        throw new Error(`Cannot be copied into itself: ${quoted(source)}`);
      return await queue.run(to.path, () =>
        kind === 'file' ? copyOne(from, to, options) : copyTree(boundary, from, to, options),
      );
    } catch (error) {
      throw codeOf(error) === 'EEXIST'
        ? new Error(`Already exists: ${quoted(destination)}`)
        : failure(error, destination);
    } finally {
      to.parent.close();
    }
  } finally {
    from.close();
  }
}

/** Whole or not at all: under a name of its own first, which becomes the right one when nobody has that. */
async function copyOne(from: Opened, to: Place, options: CopyOptions): Promise<Copied> {
  const temporary = temporaryName();
  using _ = noteTemporary(join(to.parent.path, temporary));
  const beside = join(to.parent.base, temporary);
  try {
    await copyBytes(from, beside, options);
    await moveToNew(beside, join(to.parent.base, to.name));
  } catch (error) {
    await unlinkAsync(beside).catch(() => {});
    throw error;
  }
  return { from: from.path, to: to.path, files: 1, directories: 0, links: 0, left: [] };
}

async function copyTree(
  boundary: Boundary,
  from: Opened,
  to: Place,
  { signal, progress }: CopyOptions,
): Promise<Copied> {
  const slice = new TimeSlice(signal);
  const count = { files: 0, directories: 1, links: 0 };
  const left: string[] = [];
  const leave = (path: string) => left.length < 100 && left.push(path);
  const done = () => count.files + count.directories + count.links;
  const copying = { signal, progress: (part: number) => progress?.(done() + part) };
  const exact = new ExactNames();
  const leftDirectories = new Set<string>();
  makeLike(from.stats.mode, join(to.parent.base, to.name));
  let target = boundary.openAt(to.path);
  let targetOf = '';
  try {
    for (const { name, path, kind, directory } of walk(boundary, from, {
      initial: true,
      enter: (entered) => !leftDirectories.delete(entered.path) || undefined,
      unreadable: (_, reason) => leave(reason),
    })) {
      const within = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
      if (within !== targetOf) {
        target.close();
        target = boundary.openAt(join(to.path, within));
        targetOf = within;
      }
      const [here, there] = [join(directory.base, name), join(target.base, name)];
      const bytes = exact.take(directory, name, kind);
      const isKnown = !bytes || isUtf8(bytes);
      if (kind === 'file' && isKnown && (await copyFileIn(boundary, directory, name, there, copying))) {
        count.files++;
      } else if (kind === 'directory' && isKnown) {
        makeLike(lstatSync(here).mode, there);
        count.directories++;
      } else if (kind === 'symlink' && isKnown) {
        symlinkSync(readlinkSync(here, 'buffer'), there);
        count.links++;
      } else {
        leave(bytes ? displayName(within && `${within}/`) + displayBytes(bytes) : displayName(path));
        if (kind === 'directory') leftDirectories.add(path);
      }
      if (slice.over) {
        progress?.(done());
        await slice.pause();
      }
    }
  } finally {
    target.close();
  }
  return { from: from.path, to: to.path, ...count, left };
}

/** Makes a directory that is open to as many as another one, less what the user denies to all that is new. */
function makeLike(mode: number, path: string): void {
  mkdirSync(path, (mode & 0o777) | 0o700);
}

/** Whether the file could be opened; that it cannot be written is a failure of all. */
async function copyFileIn(
  boundary: Boundary,
  directory: Opened,
  name: string,
  to: string,
  options: CopyingOptions,
): Promise<boolean> {
  let opened: Opened;
  try {
    opened = boundary.openFileIn(directory, name);
  } catch {
    return false;
  }
  try {
    if (!mayRead(opened.base)) return false;
    await copyBytes(opened, to, options);
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
