import { isUtf8 } from 'node:buffer';
import { escapeText } from '@mcp/kit';

/**
 * Matches CSI sequences; then OSC, DCS, SOS, PM and APC strings, up to their terminator or the end of the
 * line; then escape sequences of a few characters, such as `ESC 7`.
 */
const terminalSequences =
  // eslint-disable-next-line no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

/**
 * Returns lines without control sequences of terminals, and only the last state of an overwritten line.
 * Escapes bytes that are not UTF-8, as `\xff`, and characters that hide or forge text.
 */
export function plainLines(bytes: Buffer): string[] {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : decode(bytes);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(plainLine);
}

function plainLine(line: string): string {
  if (/^[\t -~]*$/.test(line)) return line;
  const plain = line.replaceAll(terminalSequences, '').replace(/\r+$/, '');
  return escapeText(plain.slice(plain.lastIndexOf('\r') + 1));
}

/** Decodes UTF-8 text. Each byte that is not part of a character becomes an escape such as `\xff`. */
function decode(bytes: Buffer): string {
  const parts: string[] = [];
  let begin = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', begin, at), `\\x${bytes[at]!.toString(16).padStart(2, '0')}`);
    at++;
    begin = at;
  }
  parts.push(bytes.toString('utf8', begin));
  return parts.join('');
}

/** The length in bytes of the character at an offset; 0 if the bytes there are not UTF-8. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
