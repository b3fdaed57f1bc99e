import { constants, fchmodSync, fchownSync, fstatSync, futimesSync, unlinkSync } from 'node:fs';
import * as fs from '../promised-fs.ts';

/** Copies the access control list of one open file to another; returns whether it was copied. */
export interface AttributeCopier {
  copy(fromFd: number, toFd: number): Promise<boolean>;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const chunkBytes = 1024 * 1024;

/** Copies a regular file to a new path, with its times, its mode and, where permitted, its owner. */
export async function copyWithAttributes(
  from: string,
  to: string,
  attributes: AttributeCopier,
): Promise<void> {
  const source = await fs.open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(source);
    if (!stats.isFile()) throw Object.assign(new Error('EINVAL'), { code: 'EINVAL' });
    const target = await fs.open(to, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      await copyBytes(source, target);
      const hasList = await attributes.copy(source, target);
      const hasOwner = hasSameOwner(target, stats);
      // If the access control list was not copied, the group's bits in the mode may be only the mask of that
      // list, and would give the group too many rights. The group then gets only the rights of all others.
      const group = hasList ? 0o777 : 0o707 | ((stats.mode & 0o7) << 3);
      fchmodSync(target, stats.mode & (hasOwner ? 0o7000 | group : group));
      futimesSync(target, stats.atime, stats.mtimeMs / 1000);
      await fs.fsync(target);
    } catch (error) {
      unlinkSync(to);
      throw error;
    } finally {
      await fs.close(target);
    }
  } finally {
    await fs.close(source);
  }
}

async function copyBytes(source: number, target: number): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  for (;;) {
    const { bytesRead } = await fs.read(source, buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return;
    for (let at = 0; at < bytesRead;)
      at += (await fs.write(target, buffer, at, bytesRead - at, null)).bytesWritten;
  }
}

function hasSameOwner(fd: number, { uid, gid }: { uid: number; gid: number }): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch {
    return false;
  }
}
