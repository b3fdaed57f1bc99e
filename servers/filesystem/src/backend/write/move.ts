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
import { dirname, join, sep } from 'node:path';
import type { Boundary, Standing } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { codeOf, failure, NotFound } from '../errors.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import type { Queue } from '../keyed-queue.ts';
import { moveOnto, noSecondNames } from './rename-no-replace.ts';

export interface Moved {
  /** Real paths. */
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
}

/** Moves or renames; a link itself rather than what it leads to. Nothing is ever overwritten. */
export async function move(
  boundary: Boundary,
  queue: Queue,
  source: string,
  destination: string,
): Promise<Moved> {
  using from = standing(boundary, source);
  using to = standing(boundary, destination);
  const [first, second] = [from.path, to.path].sort() as [string, string];
  const now = async () => moveNow(boundary, from, to, source, destination);
  return await queue.run(first, first === second ? now : () => queue.run(second, now));
}

function standing(boundary: Boundary, asked: string): Standing & Disposable {
  const found = boundary.standing(asked);
  return { ...found, [Symbol.dispose]: () => found.parent.close() };
}

function moveNow(
  boundary: Boundary,
  from: Standing,
  to: Standing,
  source: string,
  destination: string,
): Moved {
  const [here, there] = [join(from.parent.base, from.name), join(to.parent.base, to.name)];
  // Looked at again: whatever was before it in the queue may have changed it.
  const stats = lstatSync(here, { throwIfNoEntry: false });
  if (!stats) throw new NotFound(`No such file: ${quoted(source)}`);
  boundary.refuseAllowed(from.path, source);
  if (to.path.startsWith(from.path + sep)) throw new Error(`Cannot be moved into itself: ${quoted(source)}`);

  const kind = kindOf(stats);
  try {
    if (onlySpelledOtherwise(here, there, from, to)) renameSync(here, there);
    else if (kind === 'directory') moveDirectory(here, there);
    else moveFile(here, there, kind);
  } catch (error) {
    throw explained(error, source, destination, mayWrite(to.parent.base));
  }
  return { from: from.path, to: to.path, kind };
}

/** A file system that takes `a` and `A` for the same says that the destination exists: it is the source. */
function onlySpelledOtherwise(here: string, there: string, from: Standing, to: Standing): boolean {
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

/** Renaming would replace an empty directory that came meanwhile, so that place is taken first: by one of our own. */
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
      // Somebody has put something into it, and it is theirs now.
    }
    throw error;
  }
}

/** Renaming would replace what came meanwhile; giving a second name does not, and the first can go then. */
function moveFile(here: string, there: string, kind: Kind): void {
  try {
    // Elsewhere than on Linux, a link to a link is one to its target.
    if (kind === 'symlink' && process.platform !== 'linux') symlinkSync(readlinkSync(here), there);
    else linkSync(here, there);
  } catch (error) {
    if (!noSecondNames(error)) throw error;
    return moveOnto(here, there);
  }
  // What somebody else has put there in the meantime is not what has been moved.
  const [one, other] = [here, there].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  if (kind !== 'symlink' && one?.ino !== other?.ino) return;
  try {
    unlinkSync(here);
  } catch (error) {
    // Somebody else has taken it away, and it is only where it was to go.
    if (codeOf(error) === 'ENOENT') return;
    unlinkSync(there);
    throw error;
  }
}

function mayWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function explained(error: unknown, source: string, destination: string, mayArrive: boolean): Error {
  const code = codeOf(error);
  if (code === 'EXDEV')
    return new Error(`On another file system, copy it and delete it here: ${quoted(destination)}`);
  if (code === 'EEXIST' || code === 'ENOTEMPTY') return new Error(`Already exists: ${quoted(destination)}`);
  if (code === 'EBUSY' || code === 'ENOENT') return failure(error, source);
  const isSource = mayArrive && (code === 'EACCES' || code === 'EPERM');
  return failure(error, isSource ? source : destination);
}
