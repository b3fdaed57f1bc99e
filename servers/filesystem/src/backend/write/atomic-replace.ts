import {
  close,
  constants,
  fchmod,
  fchown,
  fsync,
  open,
  rename,
  truncate,
  unlink,
  writeFile,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { codeOf } from '../errors.ts';
import { renameNoReplace } from './rename-no-replace.ts';
import type { AccessControlCopier } from './access-control-copier.ts';
import { registerTemporary, temporaryName } from './temporary-files.ts';
import type { WriteContext } from './write-context.ts';

const fs = {
  open: promisify(open),
  close: promisify(close),
  writeFile: promisify(writeFile),
  fchmod: promisify(fchmod),
  fchown: promisify(fchown),
  fsync: promisify(fsync),
  rename: promisify(rename),
  truncate: promisify(truncate),
  unlink: promisify(unlink),
};

export interface Replacement {
  readonly bytes: Buffer;
  /** The file to replace, whose mode and owner are kept. */
  readonly existing?: Stats | undefined;
  /** Throw `EEXIST` when the path exists, even when it was created a moment ago. */
  readonly exclusive?: boolean | undefined;
  /** Called immediately before the rename; throws to cancel it. */
  readonly check?: (() => void) | undefined;
}

/**
 * Creates or replaces a file atomically: readers see the old or the new content, never a part. Keeps the mode and, where
 * permitted, the owner, and on Linux the access control list; other hard links keep the old content, and birth time and
 * other extended attributes are new.
 */
export async function atomicReplace(
  { accessControl }: Pick<WriteContext, 'accessControl'>,
  target: EntryLocation,
  { bytes, existing, exclusive, check }: Replacement,
): Promise<void> {
  const temporary = temporaryName();
  using _ = registerTemporary(join(target.parent.path, temporary));
  const beside = join(target.parent.base, temporary);
  const targetPath = join(target.parent.base, target.name);
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  // A new file gets the default mode, less the umask; a replacement stays private until it is complete.
  const fd = await fs.open(beside, O_WRONLY | O_CREAT | O_EXCL, existing ? 0o600 : 0o666);
  try {
    try {
      // Side by side, because the copier is another process.
      const copying = existing && copyAccessControl(accessControl, targetPath, fd);
      await fs.writeFile(fd, bytes);
      await copying;
      if (existing) await copyOwnerAndMode(fd, existing);
      await fs.fsync(fd);
    } finally {
      await fs.close(fd);
    }
    check?.();
    if (exclusive) await renameNoReplace(beside, targetPath);
    else await fs.rename(beside, targetPath);
  } catch (error) {
    const isGone = await fs.unlink(beside).then(
      () => true,
      (reason) => codeOf(reason) !== 'EPERM',
    );
    if (isGone) throw error;
    await fs.truncate(beside);
    throw new AppendOnlyDirectory(error);
  }
}

/** A directory that lets entries be created and not removed, such as after `chattr +a`. */
export class AppendOnlyDirectory extends Error {
  override name = 'AppendOnlyDirectory';
  readonly code = 'EPERM';

  constructor(cause: unknown) {
    super('The directory is append-only', { cause });
  }
}

/** Copies the access control list of the file to replace; without one, removes what the directory gave the new file. */
async function copyAccessControl(copier: AccessControlCopier, path: string, toFd: number): Promise<void> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Only GNU cp can copy them, and it must be able to read the file.
  const fd = await fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (fd === undefined) return;
  try {
    await copier.copy(fd, toFd);
  } finally {
    await fs.close(fd);
  }
}

/** The uid that tells `chown` to change only the group. */
const keepOwner = -1;

async function copyOwnerAndMode(fd: number, { uid, gid, mode }: Stats): Promise<void> {
  const takes = (owner: number) =>
    fs.fchown(fd, owner, gid).then(
      () => true,
      () => false,
    );
  // With another owner, the set-user-ID bit would grant the rights of the wrong user.
  if (await takes(uid)) return fs.fchmod(fd, mode & 0o7777);
  if (await takes(keepOwner)) return fs.fchmod(fd, mode & 0o777);
  // The permissions of the old group are not for another group, unless others have them too.
  return fs.fchmod(fd, mode & (0o707 | ((mode & 0o7) << 3)));
}
