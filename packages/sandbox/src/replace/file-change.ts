import { accessSync, constants, lstatSync, type BigIntStats, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '@mcp/kit';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { notFoundIn } from '../access/nearest-names.ts';
import { Conflict, NotFound, notUtf8, toPathError } from '../errors.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { readSmallFile, readWholeFile, type WholeFile } from '../read/read-whole-file.ts';
import { sha256 } from '../sha256.ts';
import type { NewContent } from './staged-file.ts';
import { replaceFile, type InPlace } from './replace-file.ts';
import type { WriteContext } from './write-context.ts';

/** Runs a change of a file, while no other change by this user's servers touches the file. */
export async function changeFile<Result>(
  context: WriteContext,
  requestedPath: string,
  change: (file: FileChange) => Promise<Result>,
): Promise<Result> {
  using file = FileChange.open(context, requestedPath);
  try {
    return await context.exclusively([file], async () => {
      file.refuseMoved();
      return await change(file);
    });
  } catch (error) {
    throw toPathError(error, requestedPath);
  }
}

/**
 * A file that may be changed. Its directory is opened once and stays open, so that the file that was read is
 * also the file that is replaced, even if the path leads elsewhere in the meantime.
 */
export class FileChange implements EntryLocation, Disposable {
  readonly requestedPath: string;
  readonly name: string;
  readonly path: string;
  readonly #context: WriteContext;
  #parent: OpenedPath;

  /** Opens the directory of a file; the file itself may be missing. Symlinks are followed. */
  static open(context: WriteContext, requestedPath: string, { exists = false } = {}): FileChange {
    let target: EntryLocation;
    try {
      target = context.allowed.locateFile(requestedPath, { exists });
    } catch (error) {
      throw toPathError(error, requestedPath);
    }
    // U+FFFD replaces bytes that are not UTF-8, so the exact name of the file is not known.
    if (!target.path.includes('\ufffd')) return new FileChange(context, requestedPath, target);
    target[Symbol.dispose]();
    throw new Error(`${notUtf8}: ${quoted(requestedPath)}`);
  }

  private constructor(context: WriteContext, requestedPath: string, { parent, name, path }: EntryLocation) {
    this.requestedPath = requestedPath;
    this.name = name;
    this.path = path;
    this.#context = context;
    this.#parent = parent;
  }

  get parent(): OpenedPath {
    return this.#parent;
  }

  /** Shares the descriptor of the directory with another file in it, to save descriptors. */
  shareParent({ parent }: FileChange): void {
    this.#parent.close();
    this.#parent = parent.share();
  }

  /** Returns the stats of the file; undefined if it is missing. Throws if the file cannot be replaced. */
  existing(): Stats | undefined {
    const path = pathOf(this);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isDirectory()) throw new Error(`Is a directory, not a file: ${quoted(this.requestedPath)}`);
    if (stats.isSymbolicLink()) throw this.#conflict();
    if (!stats.isFile()) throw new Error(`Not a regular file: ${quoted(this.requestedPath)}`);
    // Renaming onto a file needs no write permission for it, but a read-only file is meant to stay unchanged.
    accessSync(path, constants.W_OK);
    return stats;
  }

  /** Like `existing`, but throws if the file, or the target of a symlink in its place, is missing. */
  required(): Stats {
    const stats = this.existing();
    if (stats) return stats;
    try {
      this.#context.allowed.open(this.requestedPath).close();
    } catch (error) {
      if (error instanceof NotFound) throw error;
    }
    throw notFoundIn(this.#parent, this.name, this.requestedPath);
  }

  /** Reads the file; returns its content, and its stats at the time of reading. */
  async read(): Promise<WholeFile> {
    return await readWholeFile(this, this.requestedPath);
  }

  /** Like `read`, but synchronous, for speed; undefined for a file of more than `maxSmallBytes` bytes. */
  readSmall(): WholeFile | undefined {
    return readSmallFile(this);
  }

  /** Reads the file, and throws `Conflict` unless it has the expected SHA-256. */
  async readExpected(expectedHash: string): Promise<WholeFile> {
    const current = await this.read();
    const hash = await sha256(current.bytes);
    if (hash !== expectedHash.toLowerCase()) throw this.#conflict(hash);
    return current;
  }

  /** Replaces the file atomically; if that is not possible, overwrites it in place. */
  replace(content: NewContent): Promise<InPlace> {
    return replaceFile(this.#context, this, content);
  }

  /** Throws `Conflict` if another file is at the path now, or if the file was changed after it was read. */
  refuseChanged(before: BigIntStats): void {
    const now = lstatSync(pathOf(this), { bigint: true, throwIfNoEntry: false });
    const same =
      now?.ino === before.ino &&
      now.dev === before.dev &&
      now.size === before.size &&
      now.mtimeNs === before.mtimeNs;
    if (!same) throw this.#conflict();
  }

  /** Throws `NotFound` if the directory was moved or deleted while the change waited for its turn. */
  refuseMoved(): void {
    if (this.#parent.currentLocation() !== 'unmoved')
      throw new NotFound(`No such directory: ${quoted(dirname(this.requestedPath))}`);
  }

  [Symbol.dispose](): void {
    this.#parent.close();
  }

  #conflict(hash?: string): Conflict {
    const now = hash === undefined ? '' : ` (its SHA-256 is now ${hash})`;
    return new Conflict(`Changed since it was read${now}; read it again: ${quoted(this.requestedPath)}`);
  }
}
