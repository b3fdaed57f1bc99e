import { chmod, close, constants, copyFile, fchmod, ftruncate, open, read, unlink, write } from 'node:fs';
import { promisify } from 'node:util';
import type { Opened } from '../access/path-opener.ts';

const fs = {
  chmod: promisify(chmod),
  close: promisify(close),
  copyFile: promisify(copyFile),
  fchmod: promisify(fchmod),
  ftruncate: promisify(ftruncate),
  open: promisify(open),
  read: promisify(read),
  unlink: promisify(unlink),
  write: promisify(write),
};
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
  /** Hears now and then which part of a long file is copied, always less than 1. */
  progress?: ((part: number) => void) | undefined;
}

/** Shorter files are copied in one go, which nothing stops. */
const long = 16 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const bytesTold = 16 * chunkBytes;
const zeros = Buffer.alloc(chunkBytes);

/** Copies a regular file to where nothing is, and leaves nothing there when it cannot. */
export async function copyBytes({ base, stats }: Opened, to: string, options: CopyingOptions): Promise<void> {
  options.signal?.throwIfAborted();
  // What the kernel makes up as it is read, as in /proc, claims to be empty.
  const isShort = stats.size > 0 && stats.size < long;
  if (isShort) await fs.copyFile(base, to, COPYFILE_EXCL | COPYFILE_FICLONE);
  else if (stats.size === 0 || !(await isCloned(base, to))) await copyLong(base, to, stats, options);
  // With another owner, set-user-ID would let the copy act for somebody it was not meant to.
  if (stats.mode & 0o7000) await fs.chmod(to, stats.mode & 0o777);
}

/** Whether the file system lets both share what is in them, which takes no time. */
function isCloned(from: string, to: string): Promise<boolean> {
  return fs.copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );
}

async function copyLong(from: string, to: string, stats: Opened['stats'], options: CopyingOptions) {
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
  { size, blocks }: Opened['stats'],
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
    if (at % bytesTold === 0) progress?.(at / (Math.max(at, size) + 1));
    signal?.throwIfAborted();
  }
  // A hole at the end is nowhere written.
  if (hasHoles) await fs.ftruncate(target, at);
}

async function writeAt(fd: number, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await fs.write(fd, bytes, written, bytes.length - written, at + written)).bytesWritten;
}
