import { quoted } from '@mcp/kit';
import { decodeText } from '../text/text-encoding.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { binaryMimeType, looksBinary, textMimeType } from '../text/mime-type.ts';
import { readForward, readSmall } from './read-bytes.ts';

/** The content of a file: `text`, or base64 in `blob` if it cannot be decoded as text. */
export type FileContent = { readonly path: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

export const defaultFileBytes = 10 * 1024 * 1024;

/** Reads a whole file. Throws if it has more than `maxBytes` bytes; default: 10 MiB. */
export function readFile(
  opened: OpenedPath,
  requestedPath: string,
  { maxBytes = defaultFileBytes }: { maxBytes?: number | undefined } = {},
): FileContent | Promise<FileContent> {
  const fd = opened.readable();
  const small = readSmall(fd, opened.stats.size);
  if (small && small.length <= maxBytes) return contentOf(small, opened.path);
  if (opened.stats.size > maxBytes) throw tooLarge(requestedPath, maxBytes);
  return readForward(fd, maxBytes + 1).then((bytes) => {
    if (bytes.length > maxBytes) throw tooLarge(requestedPath, maxBytes);
    return contentOf(bytes, opened.path);
  });
}

function contentOf(bytes: Buffer, path: string): FileContent {
  const decoded = looksBinary(bytes) ? undefined : decodeText(bytes);
  return decoded && 'text' in decoded
    ? { path, mimeType: textMimeType(path), text: decoded.text }
    : { path, mimeType: binaryMimeType(path, bytes), blob: bytes.toString('base64') };
}

export function tooLarge(requestedPath: string, maxBytes: number): Error {
  return new Error(
    `Too large to read as a whole (more than ${maxBytes} bytes); read parts of the file, if it is text: ${quoted(requestedPath)}`,
  );
}
