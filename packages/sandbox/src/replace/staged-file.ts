import {
  close,
  constants,
  fchmod,
  fchown,
  fsync,
  link,
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
  link: promisify(link),
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
 * A file that is complete on the disk beside the one that it replaces, so that readers see the old or the new
 * content, never a part. It keeps the mode and, where permitted, the owner, and on Linux the access control
 * list; other hard links keep the old content, and birth time and other extended attributes are new.
 * Commit or discard it.
 */
export class PreparedReplacement {
  readonly #target: EntryLocation;
  readonly #replacement: Replacement;
  readonly #name = temporaryName();
  readonly #registration: Disposable;

  /** Writes the file. Throws {@link AccessControlLost} if the group would get rights that it did not have. */
  static async write(
    { accessControl }: Pick<WriteContext, 'accessControl'>,
    target: EntryLocation,
    replacement: Replacement,
  ): Promise<PreparedReplacement> {
    const prepared = new PreparedReplacement(target, replacement);
    return prepared.#complete(() => prepared.#write(accessControl));
  }

  /** A further name of a file that was prepared for another name. */
  static async link(
    to: PreparedReplacement,
    target: EntryLocation,
    replacement: Replacement,
  ): Promise<PreparedReplacement> {
    const prepared = new PreparedReplacement(target, replacement);
    return prepared.#complete(() => fs.link(to.#path, prepared.#path));
  }

  private constructor(target: EntryLocation, replacement: Replacement) {
    this.#target = target;
    this.#replacement = replacement;
    this.#registration = registerTemporary(join(target.parent.path, this.#name));
  }

  /** Gives the file its name. */
  async commit(): Promise<void> {
    const { check, exclusive } = this.#replacement;
    await this.#complete(async () => {
      check?.();
      await (exclusive ? renameNoReplace : fs.rename)(this.#path, pathOf(this.#target));
    });
    this.#registration[Symbol.dispose]();
  }

  /** Deletes the file. Throws {@link AppendOnlyDirectory}, with the cause, if that is not possible. */
  async discard(cause?: unknown): Promise<void> {
    const isGone = await fs.unlink(this.#path).then(
      () => true,
      (reason) => codeOf(reason) !== 'EPERM',
    );
    if (!isGone) await fs.truncate(this.#path);
    this.#registration[Symbol.dispose]();
    if (!isGone) throw new AppendOnlyDirectory(cause);
  }

  get #path(): string {
    return join(this.#target.parent.base, this.#name);
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
    const { bytes, existing } = this.#replacement;
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    // A new file gets the default mode, less the umask; a replacement stays private until it is complete.
    const fd = await fs.open(this.#path, O_WRONLY | O_CREAT | O_EXCL, existing ? 0o600 : 0o666);
    try {
      // Side by side, because the copier is another process.
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

function pathOf({ parent, name }: EntryLocation): string {
  return join(parent.base, name);
}

/** A directory that lets entries be created and not removed, such as after `chattr +a`. */
export class AppendOnlyDirectory extends Error {
  override name = 'AppendOnlyDirectory';
  readonly code = 'EPERM';

  constructor(cause: unknown) {
    super('The directory is append-only', { cause });
  }
}

/**
 * The access control list of a file cannot be copied, and its mode would give the group
 * the rights of the mask.
 */
export class AccessControlLost extends Error {
  override name = 'AccessControlLost';
}

/** Without the access control list, the group would get permissions that were only the mask of that list. */
function isGroupAboveOthers({ mode }: Stats): boolean {
  return ((mode >> 3) & 0o7 & ~mode) !== 0;
}

/**
 * Copies the access control list of the file to replace; if it has none, removes the list that the new file
 * inherited from its directory. Returns false where that is not possible.
 */
async function copyAccessControl(copier: AccessControlCopier, path: string, toFd: number): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Only GNU cp can copy them, and it must be able to read the file.
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
  // The permissions of the old group are not for another group, unless others have them too.
  if (!hasOwner && !(await takes(keepOwner))) return fs.fchmod(fd, mode & (0o707 | ((mode & 0o7) << 3)));
  if (!hasList && isGroupAboveOthers(existing)) throw new AccessControlLost();
  // With another owner, the set-user-ID bit would grant the rights of the wrong user.
  return fs.fchmod(fd, mode & (hasOwner ? 0o7777 : 0o777));
}
