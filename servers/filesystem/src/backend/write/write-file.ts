import { accessSync, constants, lstatSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { Boundary, Place } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { Conflict, failure, notUtf8 } from '../errors.ts';
import { sha256 } from '../sha256.ts';
import type { Queue } from '../keyed-queue.ts';
import { readExisting } from '../read/read-whole-file.ts';
import { replaceFile } from './atomic-replace.ts';

export interface WriteOptions {
  /** Only create: fail when there is something already. */
  ifAbsent?: boolean | undefined;
  /** SHA-256 of the content that is to be replaced: fail when it is another by now. */
  expectedHash?: string | undefined;
}

export interface Written {
  /** The real path. */
  readonly path: string;
  readonly created: boolean;
  /** How many were written. */
  readonly bytes: number;
  /** SHA-256 of all that is in the file now; not known after an append. */
  readonly hash?: string;
  /** Other names of the file, hard links, which keep the old content. */
  readonly severedLinks: number;
}

/** Creates a file, or replaces what is in it. */
export function writeFile(
  boundary: Boundary,
  queue: Queue,
  asked: string,
  content: string | Uint8Array,
  { ifAbsent, expectedHash }: WriteOptions = {},
): Promise<Written> {
  const bytes = bytesOf(content);
  return changeFile(boundary, queue, asked, async (place) => {
    const existing = existingFile(place, asked);
    if (ifAbsent && existing) throw new Error(`Already exists: ${quoted(asked)}`);
    let check: (() => void) | undefined;
    if (expectedHash !== undefined) {
      const current = await readExisting(place, asked);
      if ((await sha256(current.bytes)) !== expectedHash.toLowerCase()) throw changed(asked);
      check = () => refuseChanged(place, current.stats, asked);
    }
    await replaceFile(place, { bytes, existing, exclusive: ifAbsent, check });
    return {
      path: place.path,
      created: !existing,
      bytes: bytes.length,
      hash: await sha256(bytes),
      severedLinks: existing ? existing.nlink - 1 : 0,
    };
  });
}

/** Changes one file while nobody else here does. */
export async function changeFile<Result>(
  boundary: Boundary,
  queue: Queue,
  asked: string,
  change: (place: Place) => Promise<Result>,
): Promise<Result> {
  const path = boundary.locate(asked);
  if (boundary.directories.some((directory) => directory.real === path))
    throw new Error(`Is a directory, not a file: ${quoted(asked)}`);
  // What is not UTF-8 is not known by its true name here.
  if (path.includes('\ufffd')) throw new Error(`${notUtf8}: ${quoted(asked)}`);

  return queue.run(path, async () => {
    try {
      const place = boundary.placeAt(path);
      try {
        return await change(place);
      } finally {
        place.parent.close();
      }
    } catch (error) {
      throw failure(error, asked);
    }
  });
}

/** What stands in a place, if it is a file that may be replaced. */
export function existingFile(place: Place, asked: string) {
  const path = join(place.parent.base, place.name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isDirectory()) throw new Error(`Is a directory, not a file: ${quoted(asked)}`);
  if (stats.isSymbolicLink()) throw changed(asked);
  if (!stats.isFile()) throw new Error(`Not a regular file: ${quoted(asked)}`);
  // Replacing needs no permission on the file itself, but who took it away meant something by that.
  accessSync(path, constants.W_OK);
  return stats;
}

/** Throws when a file is not the one that was read any more. */
export function refuseChanged(place: Place, before: BigIntStats, asked: string): void {
  const now = lstatSync(join(place.parent.base, place.name), { bigint: true, throwIfNoEntry: false });
  const same =
    now?.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size &&
    now.mtimeNs === before.mtimeNs;
  if (!same) throw changed(asked);
}

export function changed(asked: string): Conflict {
  return new Conflict(`Changed by somebody else in the meantime: ${quoted(asked)}`);
}

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content !== 'string') return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!content.isWellFormed())
    throw new Error('The content has half a character in it, which no file can hold');
  return Buffer.from(content);
}
