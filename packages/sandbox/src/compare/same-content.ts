import * as fs from '../promised-fs.ts';

const chunkBytes = 1024 * 1024;

/** Whether two open files have the same bytes; reads both until the first difference or the end. */
export async function haveSameContent(one: number, other: number, signal?: AbortSignal): Promise<boolean> {
  const chunks = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
  for (let at = 0; ;) {
    signal?.throwIfAborted();
    const [first, second] = await Promise.all([
      readFully(one, chunks[0], at),
      readFully(other, chunks[1], at),
    ]);
    if (!first.equals(second)) return false;
    if (first.length < chunkBytes) return true;
    at += chunkBytes;
  }
}

async function readFully(fd: number, chunk: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < chunk.length) {
    const { bytesRead } = await fs.read(fd, chunk, filled, chunk.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return chunk.subarray(0, filled);
}
