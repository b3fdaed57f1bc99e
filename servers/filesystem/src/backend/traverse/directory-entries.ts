import { isUtf8 } from 'node:buffer';
import { opendirSync, readdirSync, type Dirent } from 'node:fs';
import { displayBytes, displayName } from '../display-name.ts';
import type { Opened } from '../access/path-opener.ts';
import { kindOf, type Kind } from '../file-kind.ts';

/** Something in a directory. */
export interface Entry {
  /** The very name; the shown one where it is not UTF-8. */
  readonly name: string;
  /** The name as it is safe to print, and as every other method takes it too. */
  readonly shown: string;
  readonly kind: Kind;
}

/** Directories whose own size exceeds this hold so many names that they are read bit by bit. */
const manyNames = 64 * 1024;

/** What is in a directory, in no order. Lazily where that is much, so that the caller can pause. */
export function entriesOf(directory: Opened): Iterable<Dirent> {
  const isSmall = directory.stats.size <= manyNames;
  return isSmall ? readdirSync(directory.base, { withFileTypes: true }) : lazily(directory);
}

function* lazily(directory: Opened): Generator<Dirent> {
  const open = opendirSync(directory.base, { bufferSize: 512 });
  try {
    for (let entry = open.readSync(); entry; entry = open.readSync()) yield entry;
  } finally {
    open.closeSync();
  }
}

/** Finds the bytes of names that may not be UTF-8: several in one directory may read the same. */
export class ExactNames {
  #directory: Opened | undefined;
  readonly #names = new Map<string, Buffer[]>();

  /** Of the names of one kind that read the same, one after the other; nothing for a name that is what it reads. */
  take(directory: Opened, name: string, kind: Kind): Buffer | undefined {
    if (!name.includes('\ufffd')) return undefined;
    if (directory !== this.#directory) this.#read(directory);
    return this.#names.get(`${kind} ${name}`)?.shift();
  }

  #read(directory: Opened): void {
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

/** What is known of an entry, by its exact name where that is ambiguous. */
export function entry(name: string, kind: Kind, exact?: Buffer): Entry {
  const bytes = exact && !isUtf8(exact) ? exact : undefined;
  const shown = bytes ? displayBytes(bytes) : displayName(name);
  return { name: bytes ? shown : name, shown, kind };
}

/** Where an entry of a directory is reached. */
export function pathOf(directory: Opened, name: string, exact?: Buffer): string | Buffer {
  const path = `${directory.base}/`;
  return exact ? Buffer.concat([Buffer.from(path), exact]) : path + name;
}
