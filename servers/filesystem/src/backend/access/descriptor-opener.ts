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
import type { Door, Opened } from './path-opener.ts';

/**
 * Names a thing without opening it for anything: FIFOs do not wake their writers, devices notice nothing,
 * and no permission to read is needed. Linux only; Node has no name for it.
 */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * The door on Linux. The kernel says where a descriptor leads, so what is checked and what is used is the
 * same thing whatever happens to the path in the meantime.
 */
export const descriptorDoor: Door = {
  look(path, { admit, directory, reading }) {
    // Reading what is a regular file is all that a descriptor to read from can do to it.
    const isReadable = reading === true && isFile(path);
    const way = isReadable ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH;
    const fd = openSync(path, directory ? way | O_DIRECTORY | O_NOFOLLOW : way);
    try {
      const base = `/proc/self/fd/${fd}`;
      const stats = fstatSync(fd);
      const { path: real } = whereIs(base, stats);
      admit(real);
      return new Descriptor(fd, base, real, stats, isReadable);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },
};

class Descriptor implements Opened {
  readonly path: string;
  readonly stats: Stats;
  readonly base: string;
  readonly #fd: number;
  #reading: number;
  #users = 1;

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

  whereabouts() {
    // Quicker to ask than where it leads, and nearly always enough.
    if (isAt(this.path, this.stats)) return 'there';
    const { path, deleted } = whereIs(this.base, this.stats);
    if (path !== this.path) return 'elsewhere';
    return deleted ? 'deleted' : 'there';
  }

  share(): this {
    this.#users++;
    return this;
  }

  close(): void {
    if (--this.#users !== 0) return;
    if (this.#reading >= 0 && this.#reading !== this.#fd) closeSync(this.#reading);
    closeSync(this.#fd);
  }
}

function isFile(path: string | Buffer): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether a path names the very thing with these numbers, and not a link to it. */
function isAt(path: string, { dev, ino }: Stats): boolean {
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    return there?.ino === ino && there.dev === dev;
  } catch {
    return false;
  }
}

const deletedSuffix = ' (deleted)';

/**
 * Where the kernel says that a descriptor leads. It marks what was deleted, or replaced by another file of the same
 * name, with a suffix that is also a name somebody may have given.
 */
function whereIs(base: string, stats: Stats): { path: string; deleted: boolean } {
  const path = readlinkSync(base);
  if (!path.endsWith(deletedSuffix)) return { path, deleted: false };
  if (isAt(path, stats)) return { path, deleted: false };
  return { path: path.slice(0, -deletedSuffix.length), deleted: true };
}
