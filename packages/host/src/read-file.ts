import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { codeOf } from '@mcp/kit';

/**
 * Maximum size of a file in bytes: far more than a configuration file, or a file given as an argument, needs.
 */
const maxBytes = 64 * 1024 * 1024;

// Without O_NONBLOCK, opening a pipe could wait forever for a writer, and keep the process alive.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a regular file of at most 64 MiB. Checks after opening that it is a regular file, because the path
 * may lead to anything, for example by a link to `/dev/zero`.
 */
export async function readFile(path: string): Promise<Buffer> {
  const descriptor = await opened(path);
  return contentOf(descriptor, await promisify(fstat)(descriptor));
}

/** Like `readFile`, for a file that the user names: also reads a pipe, such as `<(command)`. */
export async function readNamedFile(path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const descriptor = await opened(path);
  const stats = await promisify(fstat)(descriptor);
  if (!stats.isFIFO()) return contentOf(descriptor, stats);
  const { Socket } = await import('node:net');
  const socket = new Socket({ fd: descriptor, readable: true, writable: false, ...(signal && { signal }) });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function opened(path: string): Promise<number> {
  try {
    return await promisify(open)(path, flags);
  } catch (error) {
    // Linux and macOS refuse to open a socket with these errors.
    if (['ENXIO', 'EOPNOTSUPP'].includes(codeOf(error) ?? ''))
      throw new Error('it is a socket', { cause: error });
    throw error;
  }
}

/**
 * Reads an open file and closes it. Reads to the end and not only up to the size in `stats`, which may be
 * wrong: it is 0 in `/proc`, and files grow.
 */
async function contentOf(descriptor: number, stats: Stats): Promise<Buffer> {
  try {
    if (!stats.isFile()) throw new Error(kindOf(stats));
    if (stats.size > maxBytes) throw tooLong();
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const free = Buffer.allocUnsafe(Math.max(stats.size - length, 0) + 4_096);
      const { bytesRead } = await promisify(read)(descriptor, free, 0, free.length, null);
      if (bytesRead === 0) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      length += bytesRead;
      if (length > maxBytes) throw tooLong();
      chunks.push(free.subarray(0, bytesRead));
    }
  } finally {
    await promisify(close)(descriptor);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'it is a directory';
  return stats.isFIFO() ? 'it is a pipe' : 'it is a device';
}

function tooLong(): Error {
  return new Error(`it has more than ${maxBytes} bytes`);
}
