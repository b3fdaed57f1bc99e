import { accessSync, constants, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { messageOf, quoted } from '@mcp/kit';
import { HeldDirectory } from '../open/held-directory.ts';
import type { PathOpener } from '../open/path-opener.ts';
import { toPathError, NotFound } from '../errors.ts';
import { platformOpener } from '../open/platform-opener.ts';

export interface AllowOptions {
  /** The allowed directories, with all that they contain. Relative paths start at the first directory. */
  directories: readonly string[];
  /** Called with warnings for the operator. */
  warn?: ((message: string) => void) | undefined;
  /** How paths are opened. Default: by descriptors on systems with `/proc`, else by path, with checks. */
  opener?: PathOpener | undefined;
}

/**
 * Opens the allowed directories; a leading `~` is the home directory. A directory that cannot be opened is
 * skipped with a warning; throws if none of them can be opened.
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
      warn?.(`The same directory is allowed twice: ${quoted(requestedPath)}`);
    allowed.push(directory);
  }
  if (allowed.length === 0 && failures.length > 0) throw failures[0];
  for (const error of failures) warn?.(`Directory skipped: ${messageOf(error)}`);
  return allowed;
}

function expandHome(path: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/**
 * A directory that the operator allowed. It is opened at the start, and its entries are reached through the
 * open descriptor: if another directory later takes its path, the other directory is not allowed.
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
      // Names that differ only in undecodable bytes decode to the same string, so they could be confused.
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

  /** Whether a real path is this directory or a path inside it. */
  contains(real: string): boolean {
    return remainderOf(this.real, real) !== undefined;
  }

  /** The path from this directory to a real path inside it; undefined outside. */
  relativePath(real: string): string | undefined {
    return remainderOf(this.real, real);
  }

  /**
   * The path from this directory to an absolute path, which may begin with the given or with the real path of
   * this directory; undefined for a path outside.
   */
  remainder(path: string): string | undefined {
    return remainderOf(this.name, path) ?? remainderOf(this.real, path);
  }

  /**
   * The path through which an entry is opened. Throws if the directory was deleted or replaced while its
   * descriptor was closed for lack of use.
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
   * If this directory was deleted and created again, opens the new one and returns true. Returns false if
   * this directory was moved and another took its path, because the operator has not allowed the other one.
   */
  reopen(): boolean {
    return this.#held.replaceDeleted();
  }

  goneError(): Error {
    return new NotFound(`The allowed directory was deleted or replaced: ${quoted(this.name)}`);
  }

  /** Whether some holder of this object has not called `close` yet. */
  get isOpen(): boolean {
    return this.#held.holders > 0;
  }

  /** Adds a holder. The directory closes when `close` was called once for each holder. */
  share(): this {
    this.#held.share();
    return this;
  }

  close(): void {
    this.#held.close();
  }

  /**
   * Returns a function that closes the descriptor. The function does not reference this object, so it can run
   * after the object was garbage-collected.
   */
  release(): () => void {
    const held = this.#held;
    return () => {
      while (held.holders > 0) held.close();
    };
  }
}

function remainderOf(directory: string, path: string): string | undefined {
  if (!path.startsWith(directory)) return undefined;
  if (path.length === directory.length) return '';
  if (directory.endsWith(sep)) return path.slice(directory.length);
  return path[directory.length] === sep ? path.slice(directory.length + 1) : undefined;
}
