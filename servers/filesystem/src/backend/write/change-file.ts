import { accessSync, constants, lstatSync, type BigIntStats, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { notFoundIn } from '../access/nearest-names.ts';
import { Conflict, NotFound, notUtf8, toPathError } from '../errors.ts';
import { readWholeFile } from '../read/read-whole-file.ts';
import { sha256 } from '../sha256.ts';
import type { WriteContext } from './write-context.ts';

/**
 * Runs a change of one file while no other change of it runs, in this server or in another one of this user.
 */
export async function changeFile<Result>(
  context: WriteContext,
  requestedPath: string,
  change: (target: EntryLocation) => Promise<Result>,
): Promise<Result> {
  const { allowed } = context;
  const path = allowed.locate(requestedPath);
  if (allowed.directories.some((directory) => directory.real === path))
    throw new Error(`Is a directory, not a file: ${quoted(requestedPath)}`);
  // The exact bytes of such a name are not known here.
  if (path.includes('\ufffd')) throw new Error(`${notUtf8}: ${quoted(requestedPath)}`);

  return context.inTurn([path], async () => {
    try {
      const target = allowed.entryAt(path);
      try {
        using _ = await context.lock([target]);
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
export function existingFile(target: EntryLocation, requestedPath: string): Stats | undefined {
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

/** The error for a missing file: it does not exist, or a link to it leads nowhere. */
export function missingFile({ allowed }: WriteContext, target: EntryLocation, requestedPath: string): Error {
  try {
    allowed.open(requestedPath).close();
  } catch (error) {
    if (error instanceof NotFound) return error;
  }
  return notFoundIn(target.parent, target.name, requestedPath);
}

/** Reads a file and throws `Conflict` unless it has the expected SHA-256. */
export async function expectHash(target: EntryLocation, expectedHash: string, requestedPath: string) {
  const current = await readWholeFile(target, requestedPath);
  const hash = await sha256(current.bytes);
  if (hash !== expectedHash.toLowerCase()) throw conflict(requestedPath, hash);
  return current;
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

function conflict(requestedPath: string, hash?: string): Conflict {
  const now = hash === undefined ? '' : ` (its SHA-256 is now ${hash})`;
  return new Conflict(`Changed since it was read${now}; read it again: ${quoted(requestedPath)}`);
}
