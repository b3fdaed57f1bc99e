import { readFully } from '../read/read-bytes.ts';

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
