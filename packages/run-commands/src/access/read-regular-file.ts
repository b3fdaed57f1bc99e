import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

const pieceBytes = 256 * 1024;
/** The maximum size in bytes of a file that is read. */
const maxBytes = 1024 ** 3;

/**
 * Yields the content of a file in pieces. Throws if the file has more than `limit` bytes or is not a regular
 * file, because a pipe could be endless.
 * @param opened called with the descriptor and the state of the open file before its content is read
 */
export async function* readRegularFile(
  path: string,
  { limit = maxBytes, opened }: { limit?: number; opened?: (fd: number, stats: Stats) => void } = {},
): AsyncGenerator<Buffer> {
  // With O_NONBLOCK, opening a pipe does not wait for a process that writes to it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('Not a file, but a directory, pipe or device');
    opened?.(file.fd, stats);
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (let length = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes, null);
      if (bytesRead === 0) return;
      length += bytesRead;
      if (length > limit) throw new Error(`More than ${limit} bytes`);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
