import {
  close,
  constants,
  fchmod,
  fchown,
  fsync,
  open,
  rename,
  unlink,
  writeFile,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from '../access/allowed-directories.ts';
import { moveToNew } from './rename-no-replace.ts';
import { noteTemporary, temporaryName } from './temporary-files.ts';

const fs = {
  open: promisify(open),
  close: promisify(close),
  writeFile: promisify(writeFile),
  fchmod: promisify(fchmod),
  fchown: promisify(fchown),
  fsync: promisify(fsync),
  rename: promisify(rename),
  unlink: promisify(unlink),
};

export interface Replacement {
  readonly bytes: Buffer;
  /** What stands there now, whose mode and owner stay. */
  readonly existing?: Stats | undefined;
  /** Nothing may stand there, not even when it came a moment ago. */
  readonly exclusive?: boolean | undefined;
  /** Looks for the last time whether the file may be replaced, and throws if not. */
  readonly check?: (() => void) | undefined;
}

/**
 * Puts a file where one may already be, whole or not at all: who reads meanwhile sees the old one or the new one,
 * never half. Mode and, where permitted, owner stay; hard links keep the old content, and times of birth and
 * extended attributes begin anew.
 */
export async function replaceFile(
  place: Place,
  { bytes, existing, exclusive, check }: Replacement,
): Promise<void> {
  const temporary = temporaryName();
  using _ = noteTemporary(join(place.parent.path, temporary));
  const beside = join(place.parent.base, temporary);
  const target = join(place.parent.base, place.name);
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  // A new file gets the mode the user gives to all new files; a replacement is closed to others until it is whole.
  const fd = await fs.open(beside, O_WRONLY | O_CREAT | O_EXCL, existing ? 0o600 : 0o666);
  try {
    try {
      await fs.writeFile(fd, bytes);
      if (existing) await takeOver(fd, existing);
      await fs.fsync(fd);
    } finally {
      await fs.close(fd);
    }
    check?.();
    if (exclusive) await moveToNew(beside, target);
    else await fs.rename(beside, target);
  } catch (error) {
    await fs.unlink(beside).catch(() => {});
    throw error;
  }
}

/** As the system is told that only the group is another. */
const sameOwner = -1;

async function takeOver(fd: number, { uid, gid, mode }: Stats): Promise<void> {
  const takes = (owner: number) =>
    fs.fchown(fd, owner, gid).then(
      () => true,
      () => false,
    );
  // With another owner, set-user-ID would let the file act for somebody it was not meant to.
  if (await takes(uid)) return fs.fchmod(fd, mode & 0o7777);
  if (await takes(sameOwner)) return fs.fchmod(fd, mode & 0o777);
  // What a group might do is not for another group, unless it was for all.
  return fs.fchmod(fd, mode & (0o707 | ((mode & 0o7) << 3)));
}
