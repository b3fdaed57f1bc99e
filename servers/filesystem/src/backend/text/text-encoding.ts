import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Text as it stands in a file: encoding it again gives the same bytes. */
export interface Text {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  readonly bom: boolean;
}

/** What a file holds instead of text, and where that shows. */
export interface NotText {
  readonly reason: string;
}

/** Reads bytes as UTF-8, or as UTF-16 where a byte order mark says so; never guesses, never replaces. */
export function decodeText(bytes: Buffer): Text | NotText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');

  const nul = bytes.indexOf(0);
  if (nul >= 0) return { reason: `Not text: a NUL byte at offset ${nul}` };
  if (!isUtf8(bytes)) return { reason: notUtf8(bytes) };
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { text: bytes.toString('utf8', bom ? 3 : 0), encoding: 'utf-8', bom };
}

/** The bytes of a text as its file had them. */
export function encodeText({ text, encoding, bom }: Text): Buffer {
  const marked = bom ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked);
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

function decodeUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): Text | NotText {
  if (bytes.length % 2) return { reason: 'Not text: UTF-16 with an odd number of bytes' };
  const little = encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16();
  const text = little.toString('utf16le', 2);
  if (text.includes('\0'))
    return { reason: `Not text: a NUL character at offset ${2 + 2 * text.indexOf('\0')}` };
  if (!text.isWellFormed()) return { reason: 'Not text: UTF-16 with half a character' };
  return { text, encoding, bom: true };
}

function notUtf8(bytes: Buffer): string {
  const decoded = bytes.toString();
  for (let at = decoded.indexOf('\ufffd'); at >= 0; at = decoded.indexOf('\ufffd', at + 1)) {
    const offset = Buffer.byteLength(decoded.slice(0, at));
    // A replacement character that is in the file itself is text like any other.
    if (bytes.toString('latin1', offset, offset + 3) === '\xef\xbf\xbd') continue;
    return `Not text: byte 0x${bytes[offset]!.toString(16)} at offset ${offset} is not UTF-8`;
  }
  return 'Not text: not UTF-8';
}
