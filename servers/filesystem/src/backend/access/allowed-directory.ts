import { accessSync, constants, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Door, Opened } from './path-opener.ts';
import { quoted } from '../display-name.ts';
import { failure, NotFound } from '../errors.ts';
import { platformDoor } from './platform-opener.ts';

export interface AllowOptions {
  /** What may be touched: these and everything beneath. Relative paths start at the first. */
  directories: readonly string[];
  /** Hears what the operator should know but need not stop for. */
  warn?: ((message: string) => void) | undefined;
  /** How to open things; the platform's best way unless said. */
  door?: Door | undefined;
}

/** Takes hold of the directories that may be touched. */
export function allow({ directories, warn, door = platformDoor() }: AllowOptions): AllowedDirectory[] {
  const allowed: AllowedDirectory[] = [];
  for (const asked of directories) {
    const directory = AllowedDirectory.open(asked, door);
    if (allowed.some(({ real }) => real === directory.real)) warn?.(`Allowed twice: ${quoted(asked)}`);
    allowed.push(directory);
  }
  return allowed;
}

/**
 * A directory the operator allowed, held open from the start: everything beneath is reached through what was
 * opened then, wherever its path leads by now.
 */
export class AllowedDirectory {
  /** As the operator named it, made absolute. */
  readonly name: string;
  readonly real: string;
  readonly #door: Door;
  #held: { opened: Opened };

  static open(asked: string, door: Door): AllowedDirectory {
    const name = resolve(asked);
    try {
      const real = realpathSync.native(name);
      const held = door.look(real, { admit: () => {} });
      if (!held.stats.isDirectory()) throw new Error(`Not a directory: ${quoted(asked)}`);
      accessSync(held.base, constants.R_OK | constants.X_OK);
      // Two names that differ only in bytes that are not UTF-8 read the same.
      if (real.includes('\ufffd'))
        throw new Error(`Cannot allow a directory whose name is not UTF-8: ${quoted(asked)}`);
      return new AllowedDirectory(name, real, door, held);
    } catch (error) {
      throw failure(error, asked, 'directory');
    }
  }

  private constructor(name: string, real: string, door: Door, held: Opened) {
    this.name = name;
    this.real = real;
    this.#door = door;
    this.#held = { opened: held };
  }

  /** Whether a real path is this directory or beneath it. */
  holds(real: string): boolean {
    return beneath(this.real, real) !== undefined;
  }

  /** What of a real path remains beneath this directory. */
  below(real: string): string | undefined {
    return beneath(this.real, real);
  }

  /** What of an absolute path remains beneath this directory, under either of its names. */
  remainder(path: string): string | undefined {
    return beneath(this.name, path) ?? beneath(this.real, path);
  }

  /** How to reach something beneath. */
  reach(remainder: string): string {
    return `${this.#held.opened.base}/${remainder || '.'}`;
  }

  /** Whether the directory that was opened stands where it stood. */
  stands(): boolean {
    return this.#held.opened.whereabouts() === 'there';
  }

  /**
   * Takes hold of the directory again after it was deleted and came back. One that was moved aside, with
   * something else in its place, was replaced: that is not what the operator allowed.
   */
  restore(): boolean {
    if (this.#held.opened.whereabouts() !== 'deleted') return false;
    try {
      const returned = this.#door.look(this.real, { directory: true, admit: (real) => this.#only(real) });
      if (!returned.stats.isDirectory()) {
        returned.close();
        return false;
      }
      this.#held.opened.close();
      this.#held.opened = returned;
      return true;
    } catch {
      return false;
    }
  }

  gone(): Error {
    return new NotFound(`The allowed directory is gone or was replaced: ${quoted(this.name)}`);
  }

  close(): void {
    this.#held.opened.close();
  }

  /** How to let go of it without holding on to it. */
  release(): () => void {
    const held = this.#held;
    return () => held.opened.close();
  }

  #only(real: string): void {
    if (real !== this.real) throw this.gone();
  }
}

function beneath(directory: string, path: string): string | undefined {
  if (!path.startsWith(directory)) return undefined;
  if (path.length === directory.length) return '';
  if (directory.endsWith(sep)) return path.slice(directory.length);
  return path[directory.length] === sep ? path.slice(directory.length + 1) : undefined;
}
