import { isUtf8 } from 'node:buffer';

/** What could hide, reorder or forge text: controls, format characters, separators, odd spaces, and the escape itself. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/gu;
/** The same for text of several lines, in which a backslash is ordinary. */
const hiddenInText = /(?![\n\t])\p{Cc}|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const plain = /^[ -[\]-~]*$/;

/** A name as it is safe to print: whatever hides or reorders text is escaped, everything else stays. */
export function displayName(name: string): string {
  return plain.test(name) ? name : name.replace(hidden, escaped);
}

/** Text somebody else wrote, as it is safe to print: lines and tabs stay, terminal escapes and reordering do not. */
export function displayText(text: string): string {
  return text.replace(hiddenInText, escaped);
}

/** A value as error messages quote it. */
export function quoted(value: string): string {
  const shown = displayName(value).replaceAll('"', '\\"');
  return shown.length <= 300 ? `"${shown}"` : `"${shown.slice(0, 140)}…${shown.slice(-140)}"`;
}

/** Bytes as text; those that are not UTF-8 appear as `\xff`. */
export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let shown = '';
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    shown += `${bytes.toString('utf8', start, at)}\\x${bytes[at]!.toString(16).padStart(2, '0')}`;
    start = ++at;
  }
  return shown + bytes.toString('utf8', start);
}

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (short[character]) return short[character];
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** How many bytes the UTF-8 character at `start` takes, 0 when there is none. */
function characterLength(bytes: Buffer, start: number): number {
  const first = bytes[start]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  return start + length <= bytes.length && isUtf8(bytes.subarray(start, start + length)) ? length : 0;
}
