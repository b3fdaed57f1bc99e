import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type Stats } from 'node:fs';
import type { Door, Opened } from './path-opener.ts';

// Windows has neither of the last two, and `|` takes what is missing for 0.
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** One check lets through 5 reads in 10,000 while somebody swaps without a pause, each further one a fraction of that. */
const rounds = 8;

/**
 * The door where the kernel does not say where a descriptor leads: macOS, Windows, Linux without /proc. The
 * path is resolved before and after opening, and must name the very thing that was opened. Weaker than
 * descriptors: what happens beneath an opened directory goes by its path, and who swaps a directory back and forth
 * in step with every check slips past all of them.
 */
export const pathDoor: Door = {
  look(path, { admit, directory }) {
    const real = realpathSync.native(path);
    if (directory && !lstatSync(path).isDirectory()) throw refused('ENOTDIR');
    admit(real);

    const stats = lstatSync(real);
    if (!stats.isFile() && !stats.isDirectory()) return new AtPath(-1, real, stats);

    const fd = openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      for (let round = 0; round < rounds; round++) {
        if (realpathSync.native(path) !== real || !isOpenAt(fd, real)) throw refused('EBUSY');
      }
      return new AtPath(fd, real, fstatSync(fd));
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },
};

class AtPath implements Opened {
  readonly path: string;
  readonly stats: Stats;
  readonly #fd: number;
  #users = 1;

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

  whereabouts() {
    if (isOpenAt(this.#fd, this.path)) return 'there';
    return fstatSync(this.#fd).nlink === 0 ? 'deleted' : 'elsewhere';
  }

  share(): this {
    this.#users++;
    return this;
  }

  close(): void {
    if (--this.#users === 0 && this.#fd >= 0) closeSync(this.#fd);
  }
}

/** Whether the path names the very thing that is open; by whole numbers, for file ids may exceed 2^53. */
function isOpenAt(fd: number, path: string): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const open = fstatSync(fd, { bigint: true });
  return there?.ino === open.ino && there.dev === open.dev;
}

function refused(code: string): Error {
  return Object.assign(new Error(code), { code });
}
