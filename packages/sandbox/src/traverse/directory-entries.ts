import { isUtf8 } from 'node:buffer';
import { opendirSync, readdirSync, type Dirent } from 'node:fs';
import { escapeName } from '@mcp/kit';
import { displayBytes } from '../display-name.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { kindOf, type Kind } from '../file-kind.ts';

/** An entry of a directory, in the form for output. */
export interface Entry {
  /** The exact name; if it is not UTF-8, the escaped name. */
  readonly name: string;
  /** The name escaped for printing; every method also accepts the escaped form. */
  readonly shown: string;
  readonly kind: Kind;
}

/** Directories whose own size (`st_size`), in bytes, exceeds this are read in parts. */
const lazyFromBytes = 64 * 1024;

/** The entries, in any order. A large directory is read in parts, so that the caller can pause. */
export function entriesOf(directory: OpenedPath): Iterable<Dirent> {
  const isSmall = directory.stats.size <= lazyFromBytes;
  return isSmall ? readdirSync(directory.base, { withFileTypes: true }) : lazily(directory);
}

function* lazily(directory: OpenedPath): Generator<Dirent> {
  const open = opendirSync(directory.base, { bufferSize: 512 });
  try {
    for (let entry = open.readSync(); entry; entry = open.readSync()) yield entry;
  } finally {
    open.closeSync();
  }
}

/** Finds the bytes of names that are not UTF-8. Several such names may decode to the same string. */
export class UndecodableNames {
  #directory: OpenedPath | undefined;
  readonly #names = new Map<string, Buffer[]>();

  /**
   * Returns the exact bytes of a name that was decoded to `name` and belongs to an entry of this kind. If
   * several names decode to it, each call returns the next. Undefined if `name` is valid UTF-8.
   */
  take(directory: OpenedPath, name: string, kind: Kind): Buffer | undefined {
    if (!name.includes('\ufffd')) return undefined;
    if (directory !== this.#directory) this.#read(directory);
    return this.#names.get(`${kind} ${name}`)?.shift();
  }

  #read(directory: OpenedPath): void {
    this.#directory = directory;
    this.#names.clear();
    for (const found of readdirSync(directory.base, { encoding: 'buffer', withFileTypes: true })) {
      const text = found.name.toString();
      if (!text.includes('\ufffd')) continue;
      const key = `${kindOf(found)} ${text}`;
      const same = this.#names.get(key);
      if (same) same.push(found.name);
      else this.#names.set(key, [found.name]);
    }
  }
}

/** Returns an entry for output, from its decoded name and, if the name is not UTF-8, its bytes. */
export function entry(name: string, kind: Kind, exact?: Buffer): Entry {
  const bytes = exact && !isUtf8(exact) ? exact : undefined;
  const shown = bytes ? displayBytes(bytes) : escapeName(name);
  return { name: bytes ? shown : name, shown, kind };
}

/** A path in two forms, of which every method accepts both. */
export interface AnsweredPath {
  readonly path: string;
  /** The path escaped for printing. */
  readonly shown: string;
}

/** Returns the path through which an entry of an open directory is reached. */
export function bytePathOf(directory: OpenedPath, name: string, exact?: Buffer): string | Buffer {
  const path = `${directory.base}/`;
  return exact ? Buffer.concat([Buffer.from(path), exact]) : path + name;
}
