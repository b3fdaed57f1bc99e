import { readSync } from 'node:fs';
import { reasonOf } from '@mcp/kit';
import { Refused } from '../errors.ts';

const chunkBytes = 256 * 1024;

/** Receives the number of bytes that were read so far. */
export type OnRead = (bytes: number) => void;

/**
 * Reads UTF-8, or UTF-16 with a byte order mark, which is left out. Throws for invalid bytes and for NULs.
 */
export function* readText(file: number, onRead: OnRead): Generator<string> {
  const buffer = Buffer.alloc(chunkBytes);
  let position = 0;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for (;;) {
    const length = readChunk(file, buffer, position);
    const bytes = buffer.subarray(0, length);
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    const text = decoded(decoder, bytes, length > 0, position);
    if (text.includes('\0'))
      throw new Refused(`The file is not text: it has a NUL character after byte ${position}`);
    position += length;
    onRead(position);
    if (text !== '') yield text;
    if (length === 0) return;
  }
}

function readChunk(file: number, buffer: Uint8Array, position: number): number {
  try {
    return readSync(file, buffer, 0, chunkBytes, position);
  } catch (error) {
    throw new Refused(`The file cannot be read: ${reasonOf(error)}`);
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  stream: boolean,
  position: number,
): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new Refused(
      `The file is not ${decoder.encoding.toUpperCase()} text: it has invalid bytes after byte ${position}`,
      'Convert the file to UTF-8',
    );
  }
}
