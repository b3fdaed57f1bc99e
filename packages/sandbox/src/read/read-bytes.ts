import { fstatSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';

/** Files up to this size are read synchronously, which is faster than a round trip to the thread pool. */
export const maxSmallBytes = 256 * 1024;
const chunkBytes = 256 * 1024;

const readAsync = promisify(read);
let scratch: Buffer | undefined;

/**
 * The whole content of a small file, in a buffer that the next call overwrites; undefined for larger files.
 * A size of 0 is not trusted: files in /proc, which the kernel generates on read, report it.
 */
export function readSmall(fd: number, size: number): Buffer | undefined {
  if (size > maxSmallBytes) return undefined;
  scratch ??= Buffer.allocUnsafeSlow(maxSmallBytes + 1);
  let filled = 0;
  while (filled <= maxSmallBytes) {
    const bytesRead = readSync(fd, scratch, filled, scratch.length - filled, null);
    filled += bytesRead;
    if (bytesRead === 0 || filled === size) return scratch.subarray(0, filled);
  }
  return undefined;
}

/** Reads from the start until the end, `limit` bytes, or the chunk for which `enough` returns true. */
export async function readForward(
  fd: number,
  limit: number,
  enough: (chunk: Buffer) => boolean = () => false,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let filled = 0; filled < limit;) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, limit - filled));
    const { bytesRead } = await readAsync(fd, chunk, 0, chunk.length, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
    chunks.push(chunk.subarray(0, bytesRead));
    if (enough(chunk.subarray(0, bytesRead))) break;
  }
  return Buffer.concat(chunks);
}

/** Reads backwards from the end, in the same way. */
export async function readBackward(
  fd: number,
  limit: number,
  enough: (chunk: Buffer) => boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const end = fstatSync(fd).size;
  for (let start = end; start > 0 && end - start < limit;) {
    const size = Math.min(chunkBytes, start, limit - (end - start));
    const chunk = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await readAsync(fd, chunk, filled, size - filled, start - size + filled);
      if (bytesRead === 0) throw new Error('The file was truncated while it was read; try again');
      filled += bytesRead;
    }
    start -= size;
    chunks.unshift(chunk);
    if (enough(chunk)) break;
  }
  return Buffer.concat(chunks);
}
