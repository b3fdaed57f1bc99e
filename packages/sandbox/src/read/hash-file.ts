import { fstatSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { OpenedPath } from '../access/path-opener.ts';
import { quoted } from '../display-name.ts';

const readAsync = promisify(read);
const chunkBytes = 1024 * 1024;

/**
 * The result of a read and the SHA-256 of the whole file it came from. Throws where the file was modified
 * meanwhile, so that the hash never belongs to other content than was read.
 */
export async function readWithHash<Result extends object>(
  opened: OpenedPath,
  requestedPath: string,
  readPart: () => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result & { hash: string }> {
  const fd = opened.readable();
  const before = fstatSync(fd, { bigint: true });
  const result = await readPart();
  const hash = await hashOf(fd, signal);
  const after = fstatSync(fd, { bigint: true });
  if (before.mtimeNs !== after.mtimeNs || before.size !== after.size)
    throw new Error(`Modified while it was read; read it again: ${quoted(requestedPath)}`);
  return { ...result, hash };
}

/** The SHA-256 of an open file, from its start. */
export async function hashOf(fd: number, signal?: AbortSignal): Promise<string> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; ;) {
    signal?.throwIfAborted();
    const { bytesRead } = await readAsync(fd, chunk, 0, chunkBytes, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}
