import type { Opened } from '../access/path-opener.ts';
import { quoted } from '../display-name.ts';
import { decodeText } from '../text/text-encoding.ts';
import { binaryMimeType, looksBinary, textMimeType } from '../text/mime-type.ts';
import { defaultFileBytes } from './read-file.ts';
import { readForward } from './read-bytes.ts';

export interface Media {
  /** The real path. */
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** All of a file as bytes, with the type that they, rather than its name, say it is. */
export async function readMedia(opened: Opened, asked: string, maxBytes = defaultFileBytes): Promise<Media> {
  if (opened.stats.size > maxBytes) throw tooLarge(asked, maxBytes);
  const bytes = await readForward(opened.readable(), maxBytes + 1);
  if (bytes.length > maxBytes) throw tooLarge(asked, maxBytes);
  const isText = !looksBinary(bytes) && 'text' in decodeText(bytes);
  const mimeType = isText ? textMimeType(opened.path) : binaryMimeType(opened.path, bytes);
  return { path: opened.path, mimeType, bytes };
}

function tooLarge(asked: string, maxBytes: number): Error {
  return new Error(`Too large to be read as a whole (more than ${maxBytes} bytes): ${quoted(asked)}`);
}
