import { constants } from 'node:fs';
import * as fs from '../promised-fs.ts';
import type { OpenedPath } from '../open/path-opener.ts';

const {
  COPYFILE_EXCL,
  COPYFILE_FICLONE,
  COPYFILE_FICLONE_FORCE,
  O_CREAT,
  O_EXCL,
  O_NONBLOCK,
  O_RDONLY,
  O_WRONLY,
} = constants;

export interface CopyingOptions {
  signal?: AbortSignal | undefined;
  /** Called from time to time with the copied fraction of a long file, which is less than 1. */
  progress?: ((part: number) => void) | undefined;
}

/** Files of fewer bytes than this are copied in one call, which cannot be cancelled. */
const chunkedFromBytes = 16 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const progressEveryBytes = 16 * chunkBytes;
const zeros = Buffer.alloc(chunkBytes);

/** Copies a regular file to a new path. If this fails, removes the partial copy. */
export async function copyFileData(
  { base, stats }: OpenedPath,
  to: string,
  options: CopyingOptions,
): Promise<void> {
  options.signal?.throwIfAborted();
  // Files that the kernel generates, as in /proc, report a size of 0: their length is unknown.
  const isShort = stats.size > 0 && stats.size < chunkedFromBytes;
  if (isShort) await fs.copyFile(base, to, COPYFILE_EXCL | COPYFILE_FICLONE);
  else if (stats.size === 0 || !(await tryClone(base, to))) await copyLong(base, to, stats, options);
  // The copy may have another owner, so the set-user-ID bit would grant the rights of the wrong user.
  if (stats.mode & 0o7000) await fs.chmod(to, stats.mode & 0o777);
}

/** Tries to clone the file, which works on file systems that share blocks; returns whether it did. */
function tryClone(from: string, to: string): Promise<boolean> {
  return fs.copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );
}

async function copyLong(from: string, to: string, stats: OpenedPath['stats'], options: CopyingOptions) {
  const source = await fs.open(from, O_RDONLY | O_NONBLOCK);
  try {
    const target = await fs.open(to, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      await copyChunks(source, target, stats, options);
      await fs.fchmod(target, stats.mode & 0o777);
    } catch (error) {
      await fs.unlink(to);
      throw error;
    } finally {
      await fs.close(target);
    }
  } finally {
    await fs.close(source);
  }
}

async function copyChunks(
  source: number,
  target: number,
  { size, blocks }: OpenedPath['stats'],
  { signal, progress }: CopyingOptions,
): Promise<void> {
  const hasHoles = blocks * 512 < size;
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  let at = 0;
  for (;;) {
    const { bytesRead } = await fs.read(source, buffer, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (!hasHoles || !chunk.equals(zeros.subarray(0, bytesRead))) await writeAt(target, chunk, at);
    at += bytesRead;
    if (at % progressEveryBytes === 0) progress?.(at / (Math.max(at, size) + 1));
    signal?.throwIfAborted();
  }
  // Zeros are skipped instead of written, so the size must be set if the file ends with them.
  if (hasHoles) await fs.ftruncate(target, at);
}

async function writeAt(fd: number, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await fs.write(fd, bytes, written, bytes.length - written, at + written)).bytesWritten;
}
