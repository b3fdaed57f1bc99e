import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { quoted } from '../display-name.ts';
import { OutsideBound, outside } from '../errors.ts';

/** The directories the operator named: nothing outside is read or written. */
export class Bound {
  readonly directories: readonly string[];

  constructor(directories: readonly string[]) {
    this.directories = [...new Set(directories.map(directory))];
  }

  /** Git looks for a repository no higher than these are named. */
  get ceilings(): string[] {
    return this.directories.map((each) => dirname(each));
  }

  holds(real: string): boolean {
    return this.directories.some((each) => beneath(each, real));
  }

  /** The real path of a directory that is there, by a path that is taken as it stands: no `~`, no `$HOME`. */
  enter(asked: string): string {
    let real: string;
    try {
      real = realpathSync.native(this.#absolute(asked));
    } catch {
      // What is outside is not told apart from what is not there.
      this.place(asked);
      throw new Error(`No such directory: ${quoted(asked)}`);
    }
    if (!this.holds(real)) throw outside(asked);
    if (!statSync(real).isDirectory()) throw new Error(`Not a directory: ${quoted(asked)}`);
    return real;
  }

  /** Where something may be made that is not there yet: what is there of its path leads inside. */
  place(asked: string): string {
    const path = this.#absolute(asked);
    let there = path;
    const rest: string[] = [];
    while (!present(there)) {
      rest.unshift(basename(there));
      there = dirname(there);
    }
    let real: string;
    try {
      real = realpathSync.native(there);
    } catch {
      throw outside(asked);
    }
    const place = join(real, ...rest);
    if (!this.holds(place)) throw outside(asked);
    return place;
  }

  /** Refuses a path of a repository that leads out, through links or otherwise. */
  admit(path: string, what: string): void {
    let real: string;
    try {
      real = realpathSync.native(path);
    } catch {
      if (present(path)) throw new OutsideBound(`${what} is a link that leads nowhere`);
      return;
    }
    if (!this.holds(real)) {
      throw new OutsideBound(`${what} is outside the repositories named at the start: ${quoted(real)}`);
    }
  }

  #absolute(asked: string): string {
    if (asked === '' || asked.includes('\0')) throw new Error(`Not a path: ${quoted(asked)}`);
    const [first] = this.directories;
    return resolve(first ?? '/', asked);
  }
}

/** Whether a path is a directory or beneath it. */
export function beneath(directory: string, path: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

function present(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function directory(asked: string): string {
  try {
    const real = realpathSync.native(resolve(asked));
    if (statSync(real).isDirectory()) return real;
  } catch {
    throw new Error(`No such directory: ${quoted(asked)}`);
  }
  throw new Error(`Not a directory: ${quoted(asked)}`);
}
