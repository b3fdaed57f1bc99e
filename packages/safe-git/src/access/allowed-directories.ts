import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { quoted } from '../safe-text.ts';
import { noRepositoryAllowedError, OutsideAllowedDirectories, outsideError } from '../errors.ts';

/**
 * The directories that the server may read and write: those that the operator configured, or the client's
 * roots.
 */
export class AllowedDirectories {
  /** The real paths of the directories; a relative path from a client is resolved from the first one. */
  readonly directories: readonly string[];

  constructor(directories: readonly string[]) {
    this.directories = [...new Set(directories.map(realDirectory))];
  }

  get isEmpty(): boolean {
    return this.directories.length === 0;
  }

  /**
   * The parents of the allowed directories, for GIT_CEILING_DIRECTORIES: git does not look for a repository
   * in them or further up.
   */
  get ceilings(): string[] {
    return this.directories.map((each) => dirname(each));
  }

  contains(realPath: string): boolean {
    return this.directories.some((each) => isInside(each, realPath));
  }

  /** Returns the real path of an existing directory. `~` and `$HOME` in the path are not expanded. */
  existingDirectory(requestedPath: string): string {
    const path = this.#absolute(requestedPath);
    let real: string;
    try {
      real = realpathSync.native(path);
    } catch {
      // For a path outside the allowed directories, `newPath` throws first, so the error below never tells
      // whether such a path exists.
      this.newPath(requestedPath);
      throw new NoSuchDirectoryError(requestedPath);
    }
    if (!this.contains(real)) throw outsideError(requestedPath);
    if (!statSync(real).isDirectory()) throw new Error(`Not a directory: ${quoted(requestedPath)}`);
    return real;
  }

  /**
   * Returns the real path of a path that need not exist yet. Throws if its existing part leads outside the
   * allowed directories.
   */
  newPath(requestedPath: string): string {
    let existing = this.#absolute(requestedPath);
    const rest: string[] = [];
    while (!exists(existing)) {
      rest.unshift(basename(existing));
      existing = dirname(existing);
    }
    let real: string;
    try {
      real = realpathSync.native(existing);
    } catch {
      throw outsideError(requestedPath);
    }
    const path = join(real, ...rest);
    if (!this.contains(path)) throw outsideError(requestedPath);
    return path;
  }

  /** Throws if a path leads outside the allowed directories. `what` names the path in the error. */
  assertInside(path: string, what: string): void {
    let real: string;
    try {
      real = realpathSync.native(path);
    } catch {
      if (exists(path)) throw new OutsideAllowedDirectories(`${what} is a dangling symlink`);
      return;
    }
    if (!this.contains(real)) {
      throw new OutsideAllowedDirectories(`${what} is outside the allowed directories: ${quoted(real)}`);
    }
  }

  #absolute(requestedPath: string): string {
    if (requestedPath === '' || requestedPath.includes('\0'))
      throw new Error(`Invalid path: ${quoted(requestedPath)}; it is empty or contains a NUL`);
    const [first] = this.directories;
    if (first === undefined) throw noRepositoryAllowedError();
    return resolve(first, requestedPath);
  }
}

/** Inside the allowed directories, there is no directory at this path. */
export class NoSuchDirectoryError extends Error {
  constructor(path: string) {
    super(`No such directory: ${quoted(path)}`);
  }
}

export function isInside(directory: string, path: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The real path of a directory. Throws if there is no directory. */
export function realDirectory(requestedPath: string): string {
  try {
    const real = realpathSync.native(resolve(requestedPath));
    if (statSync(real).isDirectory()) return real;
  } catch {
    throw new Error(`No such directory: ${quoted(requestedPath)}`);
  }
  throw new Error(`Not a directory: ${quoted(requestedPath)}`);
}
