import {
  accessSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { codeOf, quoted } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { pathOf, type LocatedEntry } from '../access/entry-location.ts';
import { notFoundIn } from '../access/nearest-names.ts';
import { toPathError } from '../errors.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import { renameOntoPlaceholder, isHardLinkUnsupported } from '../replace/rename-no-replace.ts';
import type { WriteContext } from '../replace/write-context.ts';

export interface Moved {
  /** The real paths before and after the move. */
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
}

/** Moves or renames a file, a directory or a symlink (not its target). Never overwrites. */
export async function move(context: WriteContext, source: string, destination: string): Promise<Moved> {
  const { allowed } = context;
  using from = allowed.locateEntry(source);
  using to = allowed.locateEntry(destination, { isDestination: true });
  return await context.exclusively([from, to], () => moveNow(allowed, from, to, source, destination));
}

function moveNow(
  allowed: AllowedDirectories,
  from: LocatedEntry,
  to: LocatedEntry,
  source: string,
  destination: string,
): Moved {
  const [here, there] = [pathOf(from), pathOf(to)];
  // Reads the stats again, because a change that was queued before may have changed the entry.
  const stats = lstatSync(here, { throwIfNoEntry: false });
  if (!stats) throw notFoundIn(from.parent, from.name, source);
  allowed.refuseProtected(from.path, source);
  if (to.path.startsWith(from.path + sep))
    throw new Error(`Cannot move a directory into itself: ${quoted(source)}`);

  const kind = kindOf(stats);
  try {
    if (differOnlyInCase(here, there, from, to)) renameSync(here, there);
    else moveEntry(here, there, kind);
  } catch (error) {
    throw explained(error, source, destination, to);
  }
  return { from: from.path, to: to.path, kind };
}

/** Whether two names of one entry differ only in case, as on a case-insensitive file system. */
function differOnlyInCase(here: string, there: string, from: LocatedEntry, to: LocatedEntry): boolean {
  if (process.platform === 'linux' || from.name === to.name || dirname(from.path) !== dirname(to.path))
    return false;
  const [one, other] = [here, there].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return (
    one !== undefined && one.ino === other?.ino && one.dev === other.dev && fold(from.name) === fold(to.name)
  );
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Renames an entry. Throws `EEXIST` if the new path exists, even if it was created a moment ago. */
export function moveEntry(here: string, there: string, kind: Kind): void {
  if (kind === 'directory') moveDirectory(here, there);
  else moveFile(here, there, kind);
}

/**
 * Creates the destination first, which fails if it exists. Renaming alone would replace an empty directory
 * that another program has just created there.
 */
function moveDirectory(here: string, there: string): void {
  if (process.platform === 'win32') {
    if (lstatSync(there, { throwIfNoEntry: false })) throw Object.assign(new Error(), { code: 'EEXIST' });
    return renameSync(here, there);
  }
  mkdirSync(there);
  try {
    renameSync(here, there);
  } catch (error) {
    try {
      rmdirSync(there);
    } catch {
      // Another program has put something into the new directory, so it stays.
    }
    throw error;
  }
}

/** Links the new name and unlinks the old: renaming would replace a file created in the meantime. */
function moveFile(here: string, there: string, kind: Kind): void {
  try {
    // On other systems, a hard link to a symlink may link its target.
    if (kind === 'symlink' && process.platform !== 'linux') symlinkSync(readlinkSync(here), there);
    else linkSync(here, there);
  } catch (error) {
    if (!isHardLinkUnsupported(error)) throw error;
    return renameOntoPlaceholder(here, there);
  }
  // If another program has replaced one of the names in the meantime, the old name is not deleted.
  const [one, other] = [here, there].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  if (kind !== 'symlink' && one?.ino !== other?.ino) return;
  try {
    unlinkSync(here);
  } catch (error) {
    // Another program has deleted the old name: the move is complete.
    if (codeOf(error) === 'ENOENT') return;
    unlinkSync(there);
    throw error;
  }
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The error for an existing destination. For a directory, it names the path inside that may be meant. */
export function alreadyExists(source: string, destination: string, to: LocatedEntry): Error {
  const message = `Already exists: ${quoted(destination)}`;
  if (!to.stats?.isDirectory()) return new Error(message);
  const inside = quoted(`${destination.replace(/[/]+$/, '')}/${basename(source)}`);
  return new Error(`${message}; to put it into this directory, give the destination ${inside}`);
}

function explained(error: unknown, source: string, destination: string, to: LocatedEntry): Error {
  const code = codeOf(error);
  if (code === 'EXDEV')
    return new Error(
      `The destination is on another file system; copy the source there, then delete the source: ${quoted(destination)}`,
    );
  if (code === 'EEXIST' || code === 'ENOTEMPTY') return alreadyExists(source, destination, to);
  if (code === 'EBUSY' || code === 'ENOENT') return toPathError(error, source);
  const isSource = (code === 'EACCES' || code === 'EPERM') && isWritable(to.parent.base);
  return toPathError(error, isSource ? source : destination);
}
