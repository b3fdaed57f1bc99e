import { isUtf8 } from 'node:buffer';
import { escapeName as shownName, escapeText as shownText, quoted as shownQuoted } from '@mcp/kit';

// @mcp/kit is not published, so this package's declarations must not refer to its types.

/** Escapes characters that hide, reorder or forge text, such as `\u{202e}`, on one line. */
export function escapeName(name: string): string {
  return shownName(name);
}

/** Like `escapeName`, but for several lines: line breaks, tabs, spaces and backslashes are not escaped. */
export function escapeText(text: string): string {
  return shownText(text);
}

/** Returns a name in quotes, escaped. The middle of a long name is left out. */
export function quoted(name: string): string {
  return shownQuoted(name);
}

/**
 * Returns a path for a list. A path that could be misread there, such as one with ` -> `, is put in quotes.
 */
export function listedPath(path: string): string {
  const shown = escapeName(path);
  return shown === path && !ambiguousInList.test(path) ? path : `"${shown.replaceAll('"', '\\"')}"`;
}

const ambiguousInList = /^["\s]|\s$| -> | \(|:\d|, /;

/** Returns a list of at most `max` names for a message. `show` formats a name, by default in quotes. */
export function shortList(names: readonly string[], max = 5, show = (name: string) => quoted(name)): string {
  const shown = names.slice(0, max).map((name) => show(name));
  return shown.join(', ') + (names.length > max ? ` and ${names.length - max} more` : '');
}

/** Decodes UTF-8. Bytes that are not UTF-8 become escapes such as `\xff`. */
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

/** The length in bytes of the UTF-8 character at `start`; 0 if the bytes are invalid. */
function characterLength(bytes: Buffer, start: number): number {
  const first = bytes[start]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  return start + length <= bytes.length && isUtf8(bytes.subarray(start, start + length)) ? length : 0;
}
