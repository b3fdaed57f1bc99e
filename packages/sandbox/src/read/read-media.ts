import type { OpenedPath } from '../open/path-opener.ts';
import { decodeText } from '../text/text-encoding.ts';
import { binaryMimeType, looksBinary, textMimeType } from '../text/mime-type.ts';
import { defaultFileBytes, tooLarge } from './read-file.ts';
import { readForward } from './read-bytes.ts';

export interface Media {
  /** The real path of the file. */
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Reads a whole file. Throws if it has more than `maxBytes` bytes; default: 10 MiB. */
export async function readMedia(
  opened: OpenedPath,
  requestedPath: string,
  maxBytes = defaultFileBytes,
): Promise<Media> {
  if (opened.stats.size > maxBytes) throw tooLarge(requestedPath, maxBytes);
  const bytes = await readForward(opened.readable(), maxBytes + 1);
  if (bytes.length > maxBytes) throw tooLarge(requestedPath, maxBytes);
  const isText = !looksBinary(bytes) && 'text' in decodeText(bytes);
  const mimeType = isText ? textMimeType(opened.path) : binaryMimeType(opened.path, bytes);
  return { path: opened.path, mimeType, bytes };
}
