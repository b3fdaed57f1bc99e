import { accessSync, constants, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { HeldDirectory } from './held-directory.ts';
import type { PathOpener } from './path-opener.ts';
import { quoted } from '../display-name.ts';
import { toPathError, NotFound } from '../errors.ts';
import { platformOpener } from './platform-opener.ts';

export interface AllowOptions {
  /** The allowed directories, with all they contain. Relative paths start at the first. */
  directories: readonly string[];
  /** Called with warnings for the operator. */
  warn?: ((message: string) => void) | undefined;
  /** How to open paths. Default: the strongest opener of the platform. */
  opener?: PathOpener | undefined;
}

/**
 * Opens the allowed directories; a leading `~` is the home directory. One that cannot be opened
 * is skipped with a warning; throws where none can be.
 */
export function allow({ directories, warn, opener = platformOpener() }: AllowOptions): AllowedDirectory[] {
  const allowed: AllowedDirectory[] = [];
  const failures: unknown[] = [];
  for (const requestedPath of directories) {
    let directory: AllowedDirectory;
    try {
      directory = AllowedDirectory.open(expandHome(requestedPath), opener);
    } catch (error) {
      failures.push(error);
      continue;
    }
    if (allowed.some(({ real }) => real === directory.real))
      warn?.(`Allowed twice: ${quoted(requestedPath)}`);
    allowed.push(directory);
  }
  if (allowed.length === 0 && failures.length > 0) throw failures[0];
  for (const error of failures)
    warn?.(`Directory skipped: ${error instanceof Error ? error.message : String(error)}`);
  return allowed;
}

function expandHome(path: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/**
 * A directory that the operator allowed, fixed by its identity from the start: its entries are reached
 * through its descriptor, wherever its path leads later.
 */
export class AllowedDirectory {
  /** The path that the operator gave, made absolute. */
  readonly name: string;
  readonly real: string;
  readonly #held: HeldDirectory;

  static open(requestedPath: string, opener: PathOpener): AllowedDirectory {
    const name = resolve(requestedPath);
    try {
      const real = realpathSync.native(name);
      const held = opener.open(real, { verify: () => {} });
      if (!held.stats.isDirectory()) throw new Error(`Not a directory: ${quoted(requestedPath)}`);
      accessSync(held.base, constants.R_OK | constants.X_OK);
      // Two names that differ only in undecodable bytes decode to the same string.
      if (real.includes('\ufffd'))
        throw new Error(`Cannot allow a directory whose name is not UTF-8: ${quoted(requestedPath)}`);
      return new AllowedDirectory(name, real, new HeldDirectory(real, held, opener));
    } catch (error) {
      throw toPathError(error, requestedPath, 'directory');
    }
  }

  private constructor(name: string, real: string, held: HeldDirectory) {
    this.name = name;
    this.real = real;
    this.#held = held;
  }

  /** Whether a real path is this directory or inside it. */
  contains(real: string): boolean {
    return remainderOf(this.real, real) !== undefined;
  }

  /** The path from this directory to a real path inside it; undefined outside. */
  relativePath(real: string): string | undefined {
    return remainderOf(this.real, real);
  }

  /** The path from this directory to an absolute path, by its given or its real name; undefined outside. */
  remainder(path: string): string | undefined {
    return remainderOf(this.name, path) ?? remainderOf(this.real, path);
  }

  /**
   * The path through which an entry is opened. Throws if the allowed directory was closed while idle, and
   * deleted or replaced since then.
   */
  pathTo(remainder: string): string {
    const opened = this.#held.opened();
    if (!opened) throw this.goneError();
    return `${opened.base}/${remainder || '.'}`;
  }

  /** Whether the allowed directory is still at its path. */
  isUnmoved(): boolean {
    return this.#held.opened()?.currentLocation() === 'unmoved';
  }

  /**
   * Opens the directory again after it was deleted and created again. A directory that was moved aside
   * and replaced by another stays closed, since the operator has not allowed the other one.
   */
  reopen(): boolean {
    return this.#held.replaceDeleted();
  }

  goneError(): Error {
    return new NotFound(`The allowed directory was deleted or replaced: ${quoted(this.name)}`);
  }

  /** Whether it has a user. */
  get isOpen(): boolean {
    return this.#held.users > 0;
  }

  /** Adds a user; the directory closes when every user has called `close`. */
  share(): this {
    this.#held.share();
    return this;
  }

  close(): void {
    this.#held.close();
  }

  /** A function that closes the descriptor without keeping this object alive. */
  release(): () => void {
    const held = this.#held;
    return () => {
      while (held.users > 0) held.close();
    };
  }
}

function remainderOf(directory: string, path: string): string | undefined {
  if (!path.startsWith(directory)) return undefined;
  if (path.length === directory.length) return '';
  if (directory.endsWith(sep)) return path.slice(directory.length);
  return path[directory.length] === sep ? path.slice(directory.length + 1) : undefined;
}
