import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { AllowedDirectory } from './allowed-directory.ts';
import type { PathOpener, OpenedPath } from './path-opener.ts';
import { quoted } from '../display-name.ts';
import { codeOf, toPathError, NotFound, notUtf8, OutsideDirectories, type Noun } from '../errors.ts';
import { unresponsiveError, type NetworkFiles } from './network-files.ts';
import { equivalentNames } from './equivalent-names.ts';
import { notFoundIn } from './nearest-names.ts';
import { resolvePath } from './resolve-path.ts';
import { parseRequestedPath, type RequestedPath } from './requested-path.ts';

/** A name in an open directory, whether or not an entry of that name exists. */
export interface EntryLocation {
  readonly parent: OpenedPath;
  readonly name: string;
  /** The real path. */
  readonly path: string;
}

/** A name in an open directory with the `lstat` of its entry; undefined if the entry does not exist. */
export interface LocatedEntry extends EntryLocation {
  readonly stats: Stats | undefined;
}

/** All allowed directories. Every path that the server touches is opened here. */
export class AllowedDirectories {
  readonly directories: readonly AllowedDirectory[];
  readonly #opener: PathOpener;
  /** Directories that can be neither moved nor deleted. */
  readonly #protectedDirectories: readonly AllowedDirectory[];
  readonly #networkFiles: NetworkFiles | undefined;

  constructor(
    directories: readonly AllowedDirectory[],
    opener: PathOpener,
    protectedDirectories: readonly AllowedDirectory[] = [],
    networkFiles?: NetworkFiles,
  ) {
    this.directories = directories;
    this.#opener = opener;
    this.#networkFiles = networkFiles;
    this.#protectedDirectories = [...directories, ...protectedDirectories];
  }

  /** Opens a path, following symlinks; throws `OutsideDirectories` where it leads out. */
  open(requestedPath: string, noun: Noun = 'file', reading = false): OpenedPath {
    return this.#open(parseRequestedPath(requestedPath, this.directories), noun, reading);
  }

  /** Opens a directory into which something is to be put. */
  openDestination(requestedPath: string): OpenedPath {
    let opened: OpenedPath;
    try {
      opened = this.open(requestedPath, 'directory');
    } catch (error) {
      throw error instanceof NotFound ? missingDirectory(requestedPath, error.hint) : error;
    }
    if (opened.stats.isDirectory()) return opened;
    opened.close();
    throw new Error(`Not a directory: ${quoted(requestedPath)}`);
  }

  /** The absolute path, resolved lexically; symlinks are not followed. */
  lexicalPath(requestedPath: string): string {
    const { directory, remainder } = parseRequestedPath(requestedPath, this.directories);
    return join(directory.real, remainder);
  }

  /**
   * A real path as answers show it, so that it can be passed back: relative to the first allowed directory
   * where it is inside, else absolute. The directory itself is empty.
   */
  answerPath(real: string): string {
    return this.directories[0]?.relativePath(real)?.replaceAll(sep, '/') ?? real;
  }

  /** What to put before the path of an entry, relative to a directory, so that it can be passed back. */
  answerPrefix(directory: string): string {
    const path = this.answerPath(directory);
    return path === '' || path.endsWith('/') ? path : `${path}/`;
  }

  /** Opens the directory at a real path; throws where the path leads elsewhere by now. */
  openAt(real: string): OpenedPath {
    const directory = this.#directoryContaining(real);
    if (!directory) throw new OutsideDirectories(real);
    if (this.#networkFiles?.isUnresponsive(real)) throw unresponsiveError(real);
    return this.#opener.open(directory.pathTo(directory.relativePath(real)!), {
      directory: true,
      verify: (path) => {
        if (path !== real || !directory.isUnmoved()) throw new NotFound(`No such directory: ${quoted(real)}`);
      },
    });
  }

  /** Opens the regular file of this name in an open directory; symlinks are not followed. */
  openFileIn(directory: OpenedPath, name: string): OpenedPath {
    const path = join(directory.path, name);
    const opened = this.#opener.open(join(directory.base, name), {
      verify: (real) => {
        if (real !== path) throw new NotFound(`No such file: ${quoted(path)}`);
      },
    });
    if (opened.stats.isFile()) return opened;
    opened.close();
    throw new NotFound(`No such file: ${quoted(path)}`);
  }

  /** Opens the parent directory of a real path. */
  entryAt(path: string): EntryLocation {
    return { parent: this.openAt(dirname(path)), name: basename(path), path };
  }

  /**
   * Opens the parent directory of a path and stats the entry. Symlinks on the way are followed;
   * a symlink at the end is the entry itself.
   */
  locateEntry(requestedPath: string, { isDestination = false } = {}): LocatedEntry {
    const requested = parseRequestedPath(requestedPath, this.directories);
    const onlyDirectory = requested.remainder.endsWith(sep);
    const remainder = onlyDirectory ? requested.remainder.slice(0, -1) : requested.remainder;
    if (!remainder)
      throw new Error(
        `Is an allowed directory, which cannot be moved, replaced or deleted: ${quoted(requestedPath)}`,
      );
    const cut = remainder.lastIndexOf(sep);
    const parent = this.#openParent(requested, remainder.slice(0, Math.max(cut, 0)), isDestination);
    try {
      if (!parent.stats.isDirectory()) throw new Error(`Not a directory: ${quoted(dirname(requestedPath))}`);
      const name = canonicalName(parent, remainder.slice(cut + 1), requestedPath);
      const stats = lstatSync(join(parent.base, name), { throwIfNoEntry: false });
      if (onlyDirectory && stats?.isDirectory() === false)
        throw new Error(`Not a directory: ${quoted(requestedPath)}`);
      return { parent, name, path: join(parent.path, name), stats };
    } catch (error) {
      parent.close();
      throw toPathError(error, requestedPath);
    }
  }

  /** Throws where a path to move or delete is an allowed directory, or contains one. */
  refuseProtected(path: string, requestedPath: string): void {
    const found = this.#protectedDirectories.find(({ real }) => real === path || real.startsWith(path + sep));
    if (!found) return;
    const what = found.real === path ? 'Is' : 'Contains';
    throw new Error(
      `${what} an allowed directory, which cannot be moved or deleted: ${quoted(requestedPath)}`,
    );
  }

  /**
   * The real path that a path has, or would have once created; with `parents`,
   * its parents may be missing too.
   */
  locate(requestedPath: string, { parents = false } = {}): string {
    const requested = parseRequestedPath(requestedPath, this.directories);
    try {
      const opened = this.#openVerified(requested, requested.directory.pathTo(requested.remainder));
      opened.close();
      return opened.path;
    } catch (error) {
      if (error instanceof OutsideDirectories) throw error;
    }
    const { path, missing } = this.#resolve(requested, 'file');
    if (missing.includes('..') || (missing.length > 1 && !parents)) {
      const { hint } = this.#notFound(requested, 'directory', path, missing[0]!);
      throw missingDirectory(dirname(requestedPath), hint);
    }
    if (missing.length && requested.remainder.endsWith(sep))
      throw new Error(`Names a directory, not a file: ${quoted(requestedPath)}`);
    return missing.length ? join(path.toString(), ...missing) : path.toString();
  }

  close(): void {
    for (const directory of this.directories) directory.close();
  }

  #open(requested: RequestedPath, noun: Noun, reading = false): OpenedPath {
    try {
      return this.#openVerified(requested, requested.directory.pathTo(requested.remainder), reading);
    } catch (error) {
      if (error instanceof OutsideDirectories) throw error;
      return this.#openResolved(requested, noun);
    }
  }

  #openParent(requested: RequestedPath, remainder: string, isDestination: boolean): OpenedPath {
    try {
      return this.#open({ ...requested, remainder, text: dirname(requested.text) }, 'directory');
    } catch (error) {
      if (isDestination && error instanceof NotFound)
        throw missingDirectory(dirname(requested.text), error.hint);
      throw error instanceof OutsideDirectories ? new OutsideDirectories(requested.text) : error;
    }
  }

  #openVerified(requested: RequestedPath, path: string | Buffer, reading = false): OpenedPath {
    return this.#opener.open(path, {
      reading,
      verify: (real) => {
        const directory = this.#directoryContaining(real);
        if (!requested.directory.isUnmoved()) throw requested.directory.goneError();
        if (directory !== requested.directory && directory?.isUnmoved() === false)
          throw directory.goneError();
        if (!directory) throw new OutsideDirectories(requested.text);
      },
    });
  }

  #openResolved(requested: RequestedPath, noun: Noun): OpenedPath {
    const { path, missing, danglingTarget } = this.#resolve(requested, noun);
    if (danglingTarget !== undefined)
      throw new NotFound(
        `No such ${noun}: ${quoted(requested.text)}`,
        `; a link leads to ${quoted(danglingTarget)}, which does not exist`,
      );
    if (missing.length) throw this.#notFound(requested, noun, path, missing[0]!);
    try {
      return this.#openVerified(requested, path);
    } catch (error) {
      // The path was resolved a moment ago and may lead outside by now: reveal nothing about it.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
        throw new OutsideDirectories(requested.text);
      throw toPathError(error, requested.text, noun);
    }
  }

  #notFound({ text }: RequestedPath, noun: Noun, existing: string | Buffer, missing: string): NotFound {
    let directory: OpenedPath;
    try {
      directory = this.openAt(existing.toString());
    } catch {
      return new NotFound(`No such ${noun}: ${quoted(text)}`);
    }
    try {
      return notFoundIn(directory, missing, text, noun);
    } finally {
      directory.close();
    }
  }

  #resolve(requested: RequestedPath, noun: Noun) {
    if (!requested.directory.isUnmoved() && !requested.directory.reopen())
      throw requested.directory.goneError();
    try {
      return resolvePath(requested, this.directories);
    } catch (error) {
      throw toPathError(error, requested.text, noun);
    }
  }

  #directoryContaining(real: string): AllowedDirectory | undefined {
    return this.directories.find((directory) => directory.contains(real));
  }
}

function missingDirectory(path: string, hint: string): NotFound {
  const message = `No such directory: ${quoted(path)}${hint}; create it with create_directory, or set parents`;
  return new NotFound(message);
}

/** The name as the directory spells it, where it differs only in Unicode form or is given escaped. */
function canonicalName(directory: OpenedPath, name: string, requestedPath: string): string {
  if (lstatSync(join(directory.base, name), { throwIfNoEntry: false })) return name;
  const others = equivalentNames(name, directory.base);
  if (others.length > 1)
    throw new Error(`Ambiguous name, several entries differ only in Unicode form: ${quoted(requestedPath)}`);
  const [other] = others;
  if (!other) return name;
  const text = other.toString();
  if (!Buffer.from(text).equals(other)) throw new Error(`${notUtf8}: ${quoted(requestedPath)}`);
  return text;
}
