import {
  accessSync,
  chmod,
  constants,
  copyFile,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  unlink,
} from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Boundary, Place } from './boundary.ts';
import { displayName, quoted } from './display-name.ts';
import type { Opened } from './door.ts';
import { codeOf, failure } from './failure.ts';
import { kindOf } from './kind.ts';
import type { Queue } from './queue.ts';
import { moveToNew } from './second-name.ts';
import { TimeSlice } from './time-slice.ts';
import { noteTemporary, temporaryName } from './unfinished.ts';
import { walk } from './walk.ts';

const fs = {
  chmod: promisify(chmod),
  copyFile: promisify(copyFile),
  unlink: promisify(unlink),
};
const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;

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
        kind === 'file' ? copyOne(from, to) : copyTree(boundary, from, to, options),
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
async function copyOne(from: Opened, to: Place): Promise<Copied> {
  const temporary = temporaryName();
  using _ = noteTemporary(join(to.parent.path, temporary));
  const beside = join(to.parent.base, temporary);
  try {
    await copyBytes(from.base, beside, from.stats.mode);
    await moveToNew(beside, join(to.parent.base, to.name));
  } catch (error) {
    await fs.unlink(beside).catch(() => {});
    throw error;
  }
  return { from: from.path, to: to.path, files: 1, directories: 0, links: 0, left: [] };
}

async function copyBytes(from: string, to: string, mode: number): Promise<void> {
  await fs.copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE);
  // With another owner, set-user-ID would let the copy act for somebody it was not meant to.
  if (mode & 0o7000) await fs.chmod(to, mode & 0o777);
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
  mkdirSync(join(to.parent.base, to.name));
  let target = boundary.openAt(to.path);
  let targetOf = '';
  try {
    for (const { name, path, kind, directory } of walk(boundary, from, {
      initial: true,
      enter: () => true,
      unreadable: (_, reason) => leave(reason),
    })) {
      const within = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
      if (within !== targetOf) {
        target.close();
        target = boundary.openAt(join(to.path, within));
        targetOf = within;
      }
      const [here, there] = [join(directory.base, name), join(target.base, name)];
      if (kind === 'file') {
        if (await copyFileIn(boundary, directory, name, there)) count.files++;
        else leave(displayName(path));
      } else if (kind === 'directory') {
        mkdirSync(there);
        count.directories++;
      } else if (kind === 'symlink') {
        symlinkSync(readlinkSync(here), there);
        count.links++;
      } else {
        leave(displayName(path));
      }
      if (slice.over) {
        progress?.(count.files + count.directories + count.links);
        await slice.pause();
      }
    }
  } finally {
    target.close();
  }
  return { from: from.path, to: to.path, ...count, left };
}

/** Whether the file could be opened; that it cannot be written is a failure of all. */
async function copyFileIn(boundary: Boundary, directory: Opened, name: string, to: string): Promise<boolean> {
  let opened: Opened;
  try {
    opened = boundary.openFileIn(directory, name);
  } catch {
    return false;
  }
  try {
    if (!mayRead(opened.base)) return false;
    await copyBytes(opened.base, to, opened.stats.mode);
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
