import { closeSync, constants, fstatSync, open as openDescriptor, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Maximum size of a file, in bytes: many times the size of a configuration or of an argument of a call. */
const maxBytes = 64 * 1024 * 1024;

// A pipe may never get a writer, and a thread that waits for it in the kernel would keep the process alive.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a regular file of at most 64 MiB, by a descriptor that was checked:
 * a directory may have anything under the name of a file, for example a link to `/dev/zero`.
 * Rejects with a message that names the kind of file found.
 */
export async function readFile(path: string): Promise<Buffer> {
  const file = await opened(() => open(path, flags));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(kindOf(stats));
    if (stats.size > maxBytes) throw tooLong();
    return await bytesOf(file, stats.size);
  } finally {
    await file.close();
  }
}

/**
 * Like `readFile`, for a file that the user names: a pipe, such as `<(command)`, is read to its
 * end or until `signal`.
 */
export async function readNamedFile(path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const descriptor = await opened(() => promisify(openDescriptor)(path, flags));
  if (!fstatSync(descriptor).isFIFO()) {
    closeSync(descriptor);
    return readFile(path);
  }
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

async function opened<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The errors with which Linux and macOS refuse to open a socket.
    if (code === 'ENXIO' || code === 'EOPNOTSUPP') throw new Error('it is a socket', { cause: error });
    throw error;
  }
}

/** A file of `/proc` has the size 0, and the size of a file may change while it is read. */
async function bytesOf(file: FileHandle, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.max(size - length, 0) + 4_096));
    if (bytesRead === 0) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    length += bytesRead;
    if (length > maxBytes) throw tooLong();
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'it is a directory';
  return stats.isFIFO() ? 'it is a pipe' : 'it is a device';
}

function tooLong(): Error {
  return new Error(`it has more than ${maxBytes} bytes`);
}
