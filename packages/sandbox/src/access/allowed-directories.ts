import { lstatSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { codeOf, quoted } from '@mcp/kit';
import type { AllowedDirectory } from './allowed-directory.ts';
import type { PathOpener, OpenedPath } from '../open/path-opener.ts';
import { toPathError, NotFound, notUtf8, OutsideDirectories, type Noun } from '../errors.ts';
import { unresponsiveError, type NetworkFiles } from '../network/network-files.ts';
import { entryIn, pathOf, type EntryLocation, type LocatedEntry } from './entry-location.ts';
import { equivalentName } from './equivalent-names.ts';
import { notFoundIn } from './nearest-names.ts';
import { resolvePath } from './resolve-path.ts';
import { otherMeanings } from './other-meanings.ts';
import { parseRequestedPath, type RequestedPath } from './requested-path.ts';

/** The maximum number of existing paths that an error lists because the client may have meant one of them. */
const maxMeanings = 5;

/** Opens every path that the server reads or changes, and refuses paths outside the allowed directories. */
export class AllowedDirectories {
  readonly directories: readonly AllowedDirectory[];
  readonly #opener: PathOpener;
  /**
   * Directories that may be neither moved nor deleted: the allowed directories and, if these are the roots of
   * a client, also the directories that the operator allowed.
   */
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

  /**
   * Opens a path; follows symlinks. Throws `OutsideDirectories` if it leads out of the allowed directories.
   */
  open(requestedPath: string, noun: Noun = 'file', reading = false): OpenedPath {
    const requested = parseRequestedPath(requestedPath, this.directories);
    try {
      return this.#open(requested, noun, reading);
    } catch (error) {
      const meant = error instanceof NotFound ? this.#meant(requested) : [];
      if (meant.length === 1) return this.#open(meant[0]!, noun, reading);
      throw meant.length > 1 ? this.#ambiguous(error as NotFound, meant) : error;
    }
  }

  /** Opens the directory to move or copy entries into. Throws if it is missing or no directory. */
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

  /** Returns the absolute path; symlinks inside the allowed directory are not followed. */
  lexicalPath(requestedPath: string): string {
    const { directory, remainder } = parseRequestedPath(requestedPath, this.directories);
    return join(directory.real, remainder);
  }

  /**
   * Returns a real path in the form that clients get and can pass back: relative to the first allowed
   * directory if inside it (empty for that directory itself), else absolute.
   */
  answerPath(real: string): string {
    return this.directories[0]?.relativePath(real)?.replaceAll(sep, '/') ?? real;
  }

  /**
   * Returns the prefix that turns a path relative to `directory`, a real path, into one that a client can
   * pass back. It is empty or ends in a slash.
   */
  answerPrefix(directory: string): string {
    const path = this.answerPath(directory);
    return path === '' || path.endsWith('/') ? path : `${path}/`;
  }

  /** Opens the directory at a real path. Throws `NotFound` if the path now leads to another directory. */
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

  /** Opens the regular file at a real path; symlinks are not followed. */
  openFileAt(real: string): OpenedPath {
    using directory = this.openAt(dirname(real));
    return this.openFileIn(directory, basename(real));
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

  /** Opens the parent directory of a real path, and returns it with the last name of the path. */
  entryAt(path: string): EntryLocation {
    return entryIn(this.openAt(dirname(path)), basename(path));
  }

  /**
   * Opens the parent directory of a path, and reads the stats of the entry. Symlinks on the way are followed;
   * a symlink at the end is the entry itself. `isDestination` changes the error for a missing parent.
   */
  locateEntry(requestedPath: string, { isDestination = false } = {}): LocatedEntry {
    const requested = this.#requested(requestedPath);
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
      const entry = entryIn(parent, canonicalName(parent, remainder.slice(cut + 1), requestedPath));
      const stats = lstatSync(pathOf(entry), { throwIfNoEntry: false });
      if (onlyDirectory && stats?.isDirectory() === false)
        throw new Error(`Not a directory: ${quoted(requestedPath)}`);
      return { ...entry, stats };
    } catch (error) {
      parent.close();
      throw toPathError(error, requestedPath);
    }
  }

  /**
   * Opens the parent directory of a file that is to be changed or created. Symlinks are followed, also one at
   * the end of the path. The file may be missing, but not its parent directory.
   */
  locateFile(requestedPath: string, { exists = false } = {}): EntryLocation {
    const requested = this.#requested(requestedPath, exists);
    // Other systems may ignore letter case: there, `A.txt` finds the entry `a.txt`, and replacing this entry
    // would rename it to `A.txt`. So only Linux takes the shorter way of looking for exactly this name.
    const existing = process.platform === 'linux' && this.#existingEntry(requested);
    if (existing) return existing;
    const path = this.#locate(requested);
    if (this.directories.some(({ real }) => real === path))
      throw new Error(`Is a directory, not a file: ${quoted(requestedPath)}`);
    return this.entryAt(path);
  }

  /** Throws if a path that is to be moved or deleted is an allowed directory, or contains one. */
  refuseProtected(path: string, requestedPath: string): void {
    const found = this.#protectedDirectories.find(({ real }) => real === path || real.startsWith(path + sep));
    if (!found) return;
    const what = found.real === path ? 'Is' : 'Contains';
    throw new Error(
      `${what} an allowed directory, which cannot be moved or deleted: ${quoted(requestedPath)}`,
    );
  }

  /**
   * Returns the real path of a requested path; for a missing file, the real path that the file would have.
   * With `parents`, the parent directories of the file may be missing, too.
   */
  locate(requestedPath: string, options: { parents?: boolean } = {}): string {
    return this.#locate(parseRequestedPath(requestedPath, this.directories), options);
  }

  close(): void {
    for (const directory of this.directories) directory.close();
  }

  #locate(requested: RequestedPath, { parents = false } = {}): string {
    const { text } = requested;
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
      throw missingDirectory(dirname(text), hint);
    }
    if (missing.length && requested.remainder.endsWith(sep))
      throw new Error(`Names a directory, not a file: ${quoted(text)}`);
    return missing.length ? join(path.toString(), ...missing) : path.toString();
  }

  /**
   * Returns the path to change, usually the requested one. If its parent directory does not exist, but the
   * path can mean exactly one other path, returns the other path. With `exists`, does so too if only the
   * entry is missing.
   */
  #requested(requestedPath: string, exists = false): RequestedPath {
    const requested = parseRequestedPath(requestedPath, this.directories);
    const missing = this.#missing(requested);
    if (missing === undefined || missing === 0 || (missing === 1 && !exists)) return requested;
    const meant = this.#meant(requested);
    const [only, ...others] = meant.length > 0 ? meant : this.#meant(requested, 1);
    return only && others.length === 0 ? only : requested;
  }

  /**
   * Returns the other paths that a relative path can mean. At the end of each, at most `missing` names do not
   * exist.
   */
  #meant(requested: RequestedPath, missing = 0): RequestedPath[] {
    if (this.#networkFiles?.any || requested.directory !== this.directories[0]) return [];
    if (this.#missing(requested) === undefined) return [];
    return otherMeanings(requested, this.directories).filter((each) => {
      const left = this.#missing(each);
      return left !== undefined && left <= missing;
    });
  }

  /**
   * Returns how many names at the end of a path do not exist. Undefined if the path leads out of the allowed
   * directories, to the missing target of a symlink, or cannot be resolved.
   */
  #missing(requested: RequestedPath): number | undefined {
    try {
      const { missing, danglingTarget } = resolvePath(requested, this.directories);
      return danglingTarget === undefined ? missing.length : undefined;
    } catch {
      return undefined;
    }
  }

  #ambiguous({ message }: NotFound, meant: readonly RequestedPath[]): NotFound {
    const paths = meant.slice(0, maxMeanings).map(({ directory, remainder }) => {
      return quoted(this.answerPath(join(directory.real, remainder)));
    });
    const more = meant.length > paths.length ? `, and ${meant.length - paths.length} more` : '';
    return new NotFound(message, `; it may be ${paths.join(', ')}${more}`);
  }

  #open(requested: RequestedPath, noun: Noun, reading = false): OpenedPath {
    try {
      return this.#openVerified(requested, requested.directory.pathTo(requested.remainder), reading);
    } catch (error) {
      if (error instanceof OutsideDirectories) throw error;
      return this.#openResolved(requested, noun);
    }
  }

  /** The entry of exactly this name; undefined if it is missing, is a symlink, or cannot be opened. */
  #existingEntry(requested: RequestedPath): EntryLocation | undefined {
    const { directory, remainder } = requested;
    const cut = Math.max(remainder.lastIndexOf(sep), 0);
    const name = basename(remainder);
    if (name === '' || remainder.endsWith(sep)) return undefined;
    let parent: OpenedPath | undefined;
    try {
      parent = this.#openVerified(requested, directory.pathTo(remainder.slice(0, cut)));
      const stats = lstatSync(join(parent.base, name), { throwIfNoEntry: false });
      if (stats && !stats.isSymbolicLink()) return entryIn(parent, name);
    } catch {
      // The directory cannot be opened: the caller resolves the path step by step and reports the reason.
    }
    parent?.close();
    return undefined;
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
        `; a symlink leads to ${quoted(danglingTarget)}, which does not exist`,
      );
    if (missing.length) throw this.#notFound(requested, noun, path, missing[0]!);
    try {
      return this.#openVerified(requested, path);
    } catch (error) {
      // The path may now lead out of the allowed directories, so the error must not reveal whether the target
      // exists.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
        throw new OutsideDirectories(requested.text);
      throw toPathError(error, requested.text, noun);
    }
  }

  #notFound({ text }: RequestedPath, noun: Noun, existing: string | Buffer, missing: string): NotFound {
    try {
      using directory = this.openAt(existing.toString());
      return notFoundIn(directory, missing, text, noun);
    } catch {
      return new NotFound(`No such ${noun}: ${quoted(text)}`);
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
  const message = `No such directory: ${quoted(path)}${hint}; create this directory first`;
  return new NotFound(message);
}

/**
 * Returns the actual name of the requested entry: the requested name, the same name in another Unicode form,
 * or the name whose escaped form was requested. If there is no such entry, returns the requested name.
 */
function canonicalName(directory: OpenedPath, name: string, requestedPath: string): string {
  if (lstatSync(join(directory.base, name), { throwIfNoEntry: false })) return name;
  const other = equivalentName(name, directory.base, requestedPath);
  if (!other) return name;
  const text = other.toString();
  if (!Buffer.from(text).equals(other)) throw new Error(`${notUtf8}: ${quoted(requestedPath)}`);
  return text;
}
