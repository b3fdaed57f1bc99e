import { constants, type Stats } from 'node:fs';
import { codeOf } from '@mcp/kit';
import { renameOnto } from '@mcp/kit/node';
import * as fs from '../promised-fs.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { renameNoReplace } from './rename-no-replace.ts';
import type { AccessControlCopier } from './access-control-copier.ts';
import { TemporaryFile } from './temporary-files.ts';
import type { KeptChange } from '../keep/kept-change.ts';
import type { WriteContext } from './write-context.ts';

/** The new content of a file, and the conditions under which it takes its place. */
export interface NewContent {
  readonly bytes: Buffer;
  /** The stats of the file to replace, whose mode and owner are kept; undefined for a new file. */
  readonly existing?: Stats | undefined;
  /** Throw `EEXIST` when the path exists, even when it was created a moment ago. */
  readonly exclusive?: boolean | undefined;
  /** Called immediately before the rename; throws to cancel it. */
  readonly check?: (() => void) | undefined;
  /** Keeps the old content of the file, so that it can be restored. */
  readonly kept?: KeptChange | undefined;
}

/**
 * A file that is complete on the disk beside the file that it replaces, so that readers never see a part. It
 * gets the old file's mode, its owner if permitted and, on Linux, its access control list; not the birth time
 * and other extended attributes. Other hard links keep the old content. Must be committed or discarded.
 */
export class StagedFile {
  readonly #target: EntryLocation;
  readonly #content: NewContent;
  readonly #file: TemporaryFile;

  /** Writes the file. Throws {@link AccessControlLost} if the group would get rights that it did not have. */
  static async write(
    { accessControl }: Pick<WriteContext, 'accessControl'>,
    target: EntryLocation,
    content: NewContent,
  ): Promise<StagedFile> {
    const staged = new StagedFile(target, content);
    return staged.#complete(() => staged.#write(accessControl));
  }

  /** Stages a hard link to a file that is already staged, so that two names get the same file. */
  static async link(to: StagedFile, target: EntryLocation, content: NewContent): Promise<StagedFile> {
    const staged = new StagedFile(target, content);
    return staged.#complete(() => fs.link(to.#file.path, staged.#file.path));
  }

  private constructor(target: EntryLocation, content: NewContent) {
    this.#target = target;
    this.#content = content;
    this.#file = new TemporaryFile(target);
  }

  /** Renames the temporary file to its final name. */
  async commit(): Promise<void> {
    const { check, exclusive } = this.#content;
    await this.#complete(async () => {
      check?.();
      await (exclusive ? renameNoReplace : renameOnto)(this.#file.path, pathOf(this.#target));
    });
    this.#file[Symbol.dispose]();
  }

  /** Deletes the temporary file. Throws {@link AppendOnlyDirectory} with `cause` if that is forbidden. */
  async discard(cause?: unknown): Promise<void> {
    using file = this.#file;
    const isGone = await fs.unlink(file.path).then(
      () => true,
      (reason) => codeOf(reason) !== 'EPERM',
    );
    if (isGone) return;
    await fs.truncate(file.path);
    throw new AppendOnlyDirectory(cause);
  }

  async #complete(step: () => Promise<void>): Promise<this> {
    try {
      await step();
      return this;
    } catch (error) {
      await this.discard(error);
      throw error;
    }
  }

  async #write(accessControl: AccessControlCopier): Promise<void> {
    const { bytes, existing } = this.#content;
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    // A new file gets the default mode. A replacement is readable only for its owner until it is complete.
    const fd = await fs.open(this.#file.path, O_WRONLY | O_CREAT | O_EXCL, existing ? 0o600 : 0o666);
    try {
      // Both run at the same time: the list is copied by another process, so writing need not wait for it.
      const copying = existing && copyAccessControl(accessControl, pathOf(this.#target), fd);
      const [written] = await Promise.allSettled([fs.writeFile(fd, bytes), copying]);
      if (written.status === 'rejected') throw written.reason;
      if (existing) await copyOwnerAndMode(fd, existing, (await copying) === true);
      await fs.fsync(fd);
    } finally {
      await fs.close(fd);
    }
  }
}

/** The error for a directory whose entries can be created but not removed, as after `chattr +a`. */
export class AppendOnlyDirectory extends Error {
  override name = 'AppendOnlyDirectory';
  readonly code = 'EPERM';

  constructor(cause: unknown) {
    super('The files in this directory cannot be replaced, because the directory is append-only', { cause });
  }
}

/**
 * The error for a file whose access control list cannot be copied. With a list, the group's bits of the mode
 * are only the mask of the list; without the list they would become rights of the group.
 */
export class AccessControlLost extends Error {
  override name = 'AccessControlLost';
}

/** Whether the group has rights that others lack; these may be only the mask of the access control list. */
function isGroupAboveOthers({ mode }: Stats): boolean {
  return ((mode >> 3) & 0o7 & ~mode) !== 0;
}

/**
 * Copies the access control list of the file to replace. If that file has none, removes the list that the new
 * file has inherited from its directory. Returns false if this is not possible.
 */
async function copyAccessControl(copier: AccessControlCopier, path: string, toFd: number): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // cp can copy the list only if the file is readable.
  const fd = await fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (fd === undefined) return false;
  try {
    return await copier.copy(fd, toFd);
  } finally {
    await fs.close(fd);
  }
}

/** The uid that tells `chown` to change only the group. */
const keepOwner = -1;

async function copyOwnerAndMode(fd: number, existing: Stats, hasList: boolean): Promise<void> {
  const { uid, gid, mode } = existing;
  const takes = (owner: number) =>
    fs.fchown(fd, owner, gid).then(
      () => true,
      () => false,
    );
  const hasOwner = await takes(uid);
  // If neither owner nor group can be kept, another group has the file: it gets only what all others have.
  if (!hasOwner && !(await takes(keepOwner))) return fs.fchmod(fd, mode & (0o707 | ((mode & 0o7) << 3)));
  if (!hasList && isGroupAboveOthers(existing)) throw new AccessControlLost();
  // If the owner cannot be kept, the set-user-ID bit would grant the rights of the wrong user.
  return fs.fchmod(fd, mode & (hasOwner ? 0o7777 : 0o777));
}
