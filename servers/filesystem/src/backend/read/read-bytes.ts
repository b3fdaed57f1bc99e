import { fstatSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';

/** Files up to this size are read at once: quicker than a thread could be asked to. */
export const smallBytes = 256 * 1024;
const chunkBytes = 256 * 1024;

const readAsync = promisify(read);
let scratch: Buffer | undefined;

/**
 * All of a small file, in a buffer that the next call overwrites; nothing when there is more than fits. A size of
 * 0 says nothing: what the kernel makes up as it is read, as in /proc, claims it.
 */
export function readSmall(fd: number, size: number): Buffer | undefined {
  if (size > smallBytes) return undefined;
  scratch ??= Buffer.allocUnsafeSlow(smallBytes + 1);
  let filled = 0;
  while (filled <= smallBytes) {
    const bytesRead = readSync(fd, scratch, filled, scratch.length - filled, null);
    filled += bytesRead;
    if (bytesRead === 0 || filled === size) return scratch.subarray(0, filled);
  }
  return undefined;
}

/** From the start until the end, `limit` bytes, or whenever `enough` says so of what has been read. */
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

/** From the end of a file backwards, in the same way. */
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
      if (bytesRead === 0) throw new Error('The file became shorter while it was read');
      filled += bytesRead;
    }
    start -= size;
    chunks.unshift(chunk);
    if (enough(chunk)) break;
  }
  return Buffer.concat(chunks);
}
