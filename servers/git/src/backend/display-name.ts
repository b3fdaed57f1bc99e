import { isUtf8 } from 'node:buffer';

/**
 * Characters that could hide, reorder or forge text: controls, format characters, separators, spaces other
 * than U+0020, and the backslash.
 */
const unsafeInName = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/gu;
/** The same for text of several lines; a backslash is allowed. */
const unsafeInText = /(?![\n\t])\p{Cc}|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const plain = /^[ -[\]-~]*$/;

/** Escapes characters of a name that could hide or reorder text, as JSON does. */
export function displayName(name: string): string {
  return plain.test(name) ? name : name.replace(unsafeInName, escaped);
}

/** A path in a list: as it is or, if that could be read in another way, as a JSON string. */
export function listedPath(path: string): string {
  const shown = displayName(path);
  return shown === path && !ambiguousInList.test(path) ? path : `"${shown.replaceAll('"', '\\"')}"`;
}

const ambiguousInList = /^["\s]|\s$| -> | \(|:\d|, /;

/** Escapes terminal escapes and reordering characters in untrusted text; keeps line breaks and tabs. */
export function displayText(text: string): string {
  return text.replace(unsafeInText, escaped);
}

/** A value in quotes, escaped and shortened, for error messages. */
export function quoted(value: string): string {
  const shown = displayName(value).replaceAll('"', '\\"');
  return shown.length <= 300 ? `"${shown}"` : `"${shown.slice(0, 140)}…${shown.slice(-140)}"`;
}

/** Decodes UTF-8; other bytes become escapes such as `\xff`. */
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

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return shortEscapes[character] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The length in bytes of the UTF-8 character at `start`; 0 for invalid bytes. */
function characterLength(bytes: Buffer, start: number): number {
  const first = bytes[start]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  return start + length <= bytes.length && isUtf8(bytes.subarray(start, start + length)) ? length : 0;
}
