import { accessSync, constants, lstatSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { Conflict, toPathError, notUtf8 } from '../errors.ts';
import { sha256 } from '../sha256.ts';
import { readWholeFile } from '../read/read-whole-file.ts';
import { atomicReplace } from './atomic-replace.ts';
import type { WriteContext } from './write-context.ts';

export interface WriteOptions {
  /** Only create; throw when the path exists. Default: false. */
  ifAbsent?: boolean | undefined;
  /** The SHA-256 of the content to replace; throw `Conflict` when it is different. */
  expectedHash?: string | undefined;
}

export interface Written {
  /** The real path. */
  readonly path: string;
  readonly created: boolean;
  /** The number of bytes written. */
  readonly bytes: number;
  /** The SHA-256 of the whole file; missing after an append. */
  readonly hash?: string;
  /** The number of other hard links to the old file, which keep the old content. */
  readonly detachedHardLinks: number;
}

/** Creates a file, or replaces its content. */
export function writeFile(
  context: WriteContext,
  requestedPath: string,
  content: string | Uint8Array,
  { ifAbsent, expectedHash }: WriteOptions = {},
): Promise<Written> {
  const bytes = bytesOf(content);
  return changeFile(context, requestedPath, async (target) => {
    const existing = existingFile(target, requestedPath);
    if (ifAbsent && existing) throw new Error(`Already exists: ${quoted(requestedPath)}`);
    let check: (() => void) | undefined;
    if (expectedHash !== undefined) {
      const current = await readWholeFile(target, requestedPath);
      if ((await sha256(current.bytes)) !== expectedHash.toLowerCase()) throw conflict(requestedPath);
      check = () => refuseChanged(target, current.stats, requestedPath);
    }
    await atomicReplace(target, { bytes, existing, exclusive: ifAbsent, check });
    return {
      path: target.path,
      created: !existing,
      bytes: bytes.length,
      hash: await sha256(bytes),
      detachedHardLinks: existing ? existing.nlink - 1 : 0,
    };
  });
}

/** Runs one change of a file after the other. */
export async function changeFile<Result>(
  { allowed, queue }: WriteContext,
  requestedPath: string,
  change: (target: EntryLocation) => Promise<Result>,
): Promise<Result> {
  const path = allowed.locate(requestedPath);
  if (allowed.directories.some((directory) => directory.real === path))
    throw new Error(`Is a directory, not a file: ${quoted(requestedPath)}`);
  // The exact bytes of such a name are not known here.
  if (path.includes('\ufffd')) throw new Error(`${notUtf8}: ${quoted(requestedPath)}`);

  return queue.run(path, async () => {
    try {
      const target = allowed.entryAt(path);
      try {
        return await change(target);
      } finally {
        target.parent.close();
      }
    } catch (error) {
      throw toPathError(error, requestedPath);
    }
  });
}

/** The stats of the regular file to replace; undefined where no entry exists. */
export function existingFile(target: EntryLocation, requestedPath: string) {
  const path = join(target.parent.base, target.name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isDirectory()) throw new Error(`Is a directory, not a file: ${quoted(requestedPath)}`);
  if (stats.isSymbolicLink()) throw conflict(requestedPath);
  if (!stats.isFile()) throw new Error(`Not a regular file: ${quoted(requestedPath)}`);
  // Renaming needs no permission on the file itself, but a read-only file is meant to stay.
  accessSync(path, constants.W_OK);
  return stats;
}

/** Throws when a file is not the one that was read, or changed since. */
export function refuseChanged(target: EntryLocation, before: BigIntStats, requestedPath: string): void {
  const now = lstatSync(join(target.parent.base, target.name), { bigint: true, throwIfNoEntry: false });
  const same =
    now?.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size &&
    now.mtimeNs === before.mtimeNs;
  if (!same) throw conflict(requestedPath);
}

export function conflict(requestedPath: string): Conflict {
  return new Conflict(`Changed since it was read; read it again: ${quoted(requestedPath)}`);
}

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content !== 'string') return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!content.isWellFormed()) throw new Error('The content contains a lone surrogate (invalid Unicode)');
  return Buffer.from(content);
}
