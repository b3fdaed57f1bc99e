import { isUtf8 } from 'node:buffer';
import { quoted } from '@mcp/kit';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Decoded text, with all that is needed to encode it to the same bytes again. */
export interface Text {
  /** The text, without its byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  readonly bom: boolean;
}

/** Why bytes are not text; the reason names the offset. */
export interface NotText {
  readonly reason: string;
}

/** Whether bytes begin with a byte order mark of UTF-16. */
export function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

export function hasUtf8Bom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Whether there is a NUL byte in the first 8 KiB. Git and grep use this test for binary files, too. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** Like {@link decodeText}, but throws for bytes that are not text. */
export function textOf(bytes: Buffer, requestedPath: string): Text {
  const decoded = decodeText(bytes);
  if ('reason' in decoded) throw new Error(`${decoded.reason}: ${quoted(requestedPath)}`);
  return decoded;
}

/** Decodes UTF-8, or UTF-16 after a byte order mark. Reports invalid bytes; guesses no other encoding. */
export function decodeText(bytes: Buffer): Text | NotText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');

  const nul = bytes.indexOf(0);
  if (nul >= 0) return { reason: `Not text: a NUL byte at offset ${nul}` };
  if (!isUtf8(bytes)) return { reason: notUtf8(bytes) };
  const bom = hasUtf8Bom(bytes);
  return { text: bytes.toString('utf8', bom ? 3 : 0), encoding: 'utf-8', bom };
}

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
  if (!text.isWellFormed()) return { reason: 'Not text: UTF-16 with a lone surrogate' };
  return { text, encoding, bom: true };
}

function notUtf8(bytes: Buffer): string {
  const decoded = bytes.toString();
  for (let at = decoded.indexOf('\ufffd'); at >= 0; at = decoded.indexOf('\ufffd', at + 1)) {
    const offset = Buffer.byteLength(decoded.slice(0, at));
    // The file itself may contain the character U+FFFD, which is valid, and does not result from decoding.
    if (bytes.toString('latin1', offset, offset + 3) === '\xef\xbf\xbd') continue;
    return `Not text: byte 0x${bytes[offset]!.toString(16)} at offset ${offset} is not UTF-8`;
  }
  return 'Not text: not UTF-8';
}
