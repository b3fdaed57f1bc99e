import { fstatSync, readSync } from 'node:fs';
import * as fs from '../promised-fs.ts';

/** Files of up to this size are read synchronously, faster than by way of the thread pool. */
export const maxSmallBytes = 256 * 1024;
const chunkBytes = 256 * 1024;

let scratch: Buffer | undefined;

/**
 * Returns a small file's whole content, in a buffer that the next call overwrites; undefined above {@link
 * maxSmallBytes}. A file whose `size` is 0 is read nevertheless: files in /proc have content, but no size.
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

/** Reads a file from its start, until `limit` bytes or a chunk for which `enough` returns true. */
export async function readForward(
  fd: number,
  limit: number,
  enough: (chunk: Buffer) => boolean = () => false,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let filled = 0; filled < limit;) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, limit - filled));
    const { bytesRead } = await fs.read(fd, chunk, 0, chunk.length, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
    chunks.push(chunk.subarray(0, bytesRead));
    if (enough(chunk.subarray(0, bytesRead))) break;
  }
  return Buffer.concat(chunks);
}

/** Fills a buffer from a position in a file; returns the filled part, shorter only at the file's end. */
export async function readFully(fd: number, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await fs.read(fd, buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * Reads backwards from the end of a file to its start; ends earlier after `limit` bytes, or after a chunk for
 * which `enough` returns true. Returns the bytes in the order of the file.
 */
export async function readBackward(
  fd: number,
  limit: number,
  enough: (chunk: Buffer) => boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const end = fstatSync(fd).size;
  for (let start = end; start > 0 && end - start < limit;) {
    const size = Math.min(chunkBytes, start, limit - (end - start));
    const chunk = await readFully(fd, Buffer.allocUnsafe(size), start - size);
    if (chunk.length < size) throw new Error('The file was truncated while it was read; try again');
    start -= size;
    chunks.unshift(chunk);
    if (enough(chunk)) break;
  }
  return Buffer.concat(chunks);
}
