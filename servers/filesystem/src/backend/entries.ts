import { isUtf8 } from 'node:buffer';
import { opendirSync, readdirSync, type Dirent } from 'node:fs';
import { displayBytes, displayName } from './display-name.ts';
import type { Opened } from './door.ts';
import type { Kind } from './kind.ts';

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

/** The names in a directory that are not UTF-8, by what they decode to. */
export function undecodableNames(directory: Opened): Map<string, Buffer> {
  const names = readdirSync(directory.base, { encoding: 'buffer' });
  return new Map(names.map((name) => [name.toString(), name] as const).filter(([, name]) => !isUtf8(name)));
}

/** The names in a directory that may not be UTF-8, by what they decode to: several may read the same. */
export function ambiguousNames(directory: Opened): Map<string, Buffer[]> {
  const names = new Map<string, Buffer[]>();
  for (const name of readdirSync(directory.base, { encoding: 'buffer' })) {
    const text = name.toString();
    if (!text.includes('\ufffd')) continue;
    const same = names.get(text);
    if (same) same.push(name);
    else names.set(text, [name]);
  }
  return names;
}

export function entry(name: string, kind: Kind, undecodable?: Map<string, Buffer>): Entry {
  const bytes = undecodable?.get(name);
  const shown = bytes ? displayBytes(bytes) : displayName(name);
  return { name: bytes ? shown : name, shown, kind };
}
