import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const pieceBytes = 256 * 1024;
/** The largest file that is read. */
const maxBytes = 1024 ** 3;

/**
 * Reads a file in pieces, which are used before the next one is read. Throws for what is no file, such as a
 * pipe or a device that would never end, and for a file that is very large.
 */
export async function* readRegularFile(path: string, limit = maxBytes): AsyncGenerator<Buffer> {
  // A pipe is opened at once, even if no process writes to it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error('Not a file, but a directory, pipe or device');
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
