import { fstatSync } from 'node:fs';
import { quoted } from '@mcp/kit';
import * as fs from '../promised-fs.ts';
import type { OpenedPath } from '../open/path-opener.ts';

const chunkBytes = 1024 * 1024;

/**
 * Returns the result of a read and the SHA-256 of the whole file. Throws if the file was modified during the
 * read, so that the hash never belongs to content other than what was read.
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

/** Returns the SHA-256 of an open file in hexadecimal; reads the file from its start. */
export async function hashOf(fd: number, signal?: AbortSignal): Promise<string> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; ;) {
    signal?.throwIfAborted();
    const { bytesRead } = await fs.read(fd, chunk, 0, chunkBytes, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}
