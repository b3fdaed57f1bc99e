import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  statSync,
  type Stats,
} from 'node:fs';
import type { PathOpener, OpenedPath } from './path-opener.ts';

/**
 * A flag of `open` that opens a path without opening the file for reading: a FIFO does not wake its writers,
 * devices are not touched, and no read permission is needed. Linux only; Node does not define it.
 */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * The opener on Linux. The kernel tells the path of a descriptor, so the checked file is also the file that
 * is used, even if the path leads elsewhere in the meantime.
 */
export const descriptorOpener: PathOpener = {
  open(path, { verify, directory, reading }) {
    // Opens a regular file for reading at once: that has no side effect, and saves opening it again.
    const isReadable = reading === true && isFile(path);
    const flags = isReadable ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH;
    const fd = openSync(path, directory ? flags | O_DIRECTORY | O_NOFOLLOW : flags);
    try {
      const base = `/proc/self/fd/${fd}`;
      const stats = fstatSync(fd);
      const { path: real } = locationOf(fd, base);
      verify(real);
      return new Descriptor(fd, base, real, stats, isReadable);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },
};

class Descriptor implements OpenedPath {
  readonly path: string;
  readonly stats: Stats;
  readonly base: string;
  readonly #fd: number;
  #reading: number;
  #holders = 1;

  constructor(fd: number, base: string, path: string, stats: Stats, isReadable: boolean) {
    this.#fd = fd;
    this.base = base;
    this.path = path;
    this.stats = stats;
    this.#reading = isReadable ? fd : -1;
  }

  readable(): number {
    if (this.#reading < 0) this.#reading = openSync(this.base, O_RDONLY | O_NONBLOCK);
    return this.#reading;
  }

  currentLocation() {
    // This test is faster than `readlink` below, and nearly always succeeds.
    if (isAtPath(this.path, this.stats)) return 'unmoved';
    const { path, deleted } = locationOf(this.#fd, this.base);
    if (path !== this.path) return 'moved';
    return deleted ? 'deleted' : 'unmoved';
  }

  share(): this {
    this.#holders++;
    return this;
  }

  close(): void {
    if (--this.#holders !== 0) return;
    if (this.#reading >= 0 && this.#reading !== this.#fd) closeRead(this.#reading);
    closeRead(this.#fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Closes a descriptor that was only used for reading, and ignores errors. */
function closeRead(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // A network file system, for example, may report EIO here. The descriptor is closed nevertheless.
  }
}

function isFile(path: string | Buffer): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether the entry at a path has this device and inode number. A symlink is not followed. */
function isAtPath(path: string, { dev, ino }: Stats): boolean {
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    return there?.ino === ino && there.dev === dev;
  } catch {
    return false;
  }
}

const deletedSuffix = ' (deleted)';

/**
 * The path of a descriptor, as the kernel tells it, with ` (deleted)` after a deleted file's path. The name
 * of an existing file may end so, too; a file is deleted only if it has no hard link left.
 */
function locationOf(fd: number, base: string): { path: string; deleted: boolean } {
  const path = readlinkSync(base);
  if (!path.endsWith(deletedSuffix) || fstatSync(fd).nlink > 0) return { path, deleted: false };
  return { path: path.slice(0, -deletedSuffix.length), deleted: true };
}
