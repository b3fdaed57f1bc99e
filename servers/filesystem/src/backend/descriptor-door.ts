import { closeSync, constants, fstatSync, openSync, readlinkSync, statSync, type Stats } from 'node:fs';
import type { Door, Opened } from './door.ts';

/**
 * Names a thing without opening it for anything: FIFOs do not wake their writers, devices notice nothing,
 * and no permission to read is needed. Linux only; Node has no name for it.
 */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * The door on Linux. The kernel says where a descriptor leads, so what is checked and what is used is the
 * same thing whatever happens to the path in the meantime.
 */
export const descriptorDoor: Door = {
  look(path, { admit, directory }) {
    const fd = openSync(path, directory ? O_PATH | O_DIRECTORY | O_NOFOLLOW : O_PATH);
    try {
      const base = `/proc/self/fd/${fd}`;
      const stats = fstatSync(fd);
      const { path: real } = whereIs(base, stats);
      admit(real);
      return new Descriptor(fd, base, real, stats);
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
  #fd: number;
  #reading = -1;

  constructor(fd: number, base: string, path: string, stats: Stats) {
    this.#fd = fd;
    this.base = base;
    this.path = path;
    this.stats = stats;
  }

  readable(): number {
    this.#reading = openSync(this.base, O_RDONLY | O_NONBLOCK);
    return this.#reading;
  }

  whereabouts() {
    const { path, deleted } = whereIs(this.base, this.stats);
    if (path !== this.path) return 'elsewhere';
    return deleted ? 'deleted' : 'there';
  }

  close(): void {
    if (this.#reading >= 0) closeSync(this.#reading);
    closeSync(this.#fd);
  }
}

const deletedSuffix = ' (deleted)';

/**
 * Where the kernel says that a descriptor leads. It marks what was deleted, or replaced by another file of the same
 * name, with a suffix that is also a name somebody may have given.
 */
function whereIs(base: string, { dev, ino }: Stats): { path: string; deleted: boolean } {
  const path = readlinkSync(base);
  if (!path.endsWith(deletedSuffix)) return { path, deleted: false };
  const namesake = statSync(path, { throwIfNoEntry: false });
  if (namesake?.ino === ino && namesake.dev === dev) return { path, deleted: false };
  return { path: path.slice(0, -deletedSuffix.length), deleted: true };
}
