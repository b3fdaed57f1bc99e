import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type Stats } from 'node:fs';
import type { PathOpener, OpenedPath } from './path-opener.ts';

// On Windows, `O_NONBLOCK` and `O_NOFOLLOW` are undefined; `|` treats undefined as 0.
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/**
 * How often the path of an opened file is checked. In a test with another process that swapped the path
 * continuously, one check missed 5 of 10,000 swaps; every further check makes a missed swap rarer.
 */
const maxChecks = 8;

/**
 * The opener for systems whose kernel does not tell a descriptor's path: macOS, Windows, Linux without /proc.
 * Before and after opening, the path must lead to the opened file. Weaker than descriptors: entries of an
 * open directory are reached by its path, and an attacker who puts the directory back in time for every check
 * is not noticed.
 */
export const checkedPathOpener: PathOpener = {
  open(path, { verify, directory }) {
    const real = realpathSync.native(path);
    if (directory && !lstatSync(path).isDirectory()) throw refused('ENOTDIR');
    verify(real);

    const stats = lstatSync(real);
    if (!stats.isFile() && !stats.isDirectory()) return new CheckedPath(-1, real, stats);

    const fd = openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      for (let round = 0; round < maxChecks; round++) {
        if (realpathSync.native(path) !== real || !isOpenAt(fd, real)) throw refused('EBUSY');
      }
      return new CheckedPath(fd, real, fstatSync(fd));
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },
};

class CheckedPath implements OpenedPath {
  readonly path: string;
  readonly stats: Stats;
  readonly #fd: number;
  #holders = 1;

  constructor(fd: number, path: string, stats: Stats) {
    this.#fd = fd;
    this.path = path;
    this.stats = stats;
  }

  get base(): string {
    if (this.#fd >= 0 && !isOpenAt(this.#fd, this.path)) throw refused('EBUSY');
    return this.path;
  }

  readable(): number {
    return this.#fd;
  }

  currentLocation() {
    if (isOpenAt(this.#fd, this.path)) return 'unmoved';
    return fstatSync(this.#fd).nlink === 0 ? 'deleted' : 'moved';
  }

  share(): this {
    this.#holders++;
    return this;
  }

  close(): void {
    if (--this.#holders === 0 && this.#fd >= 0) closeSync(this.#fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Whether the path leads to the open file. Compares bigints, because inode numbers may exceed 2^53. */
function isOpenAt(fd: number, path: string): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const open = fstatSync(fd, { bigint: true });
  return there?.ino === open.ino && there.dev === open.dev;
}

function refused(code: string): Error {
  return Object.assign(new Error(code), { code });
}
