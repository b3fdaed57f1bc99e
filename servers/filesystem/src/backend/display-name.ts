/** What could hide, reorder or forge text: controls, format characters, separators, odd spaces, and the escape itself. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/gu;
const plain = /^[ -[\]-~]*$/;

/** A name as it is safe to print: whatever hides or reorders text is escaped, everything else stays. */
export function displayName(name: string): string {
  return plain.test(name) ? name : name.replace(hidden, escaped);
}

/** The same for a name as the file system holds it; bytes that are not UTF-8 appear as `\xff`. */
export function displayBytes(name: Buffer): string {
  let shown = '';
  let start = 0;
  while (start < name.length) {
    const length = characterLength(name, start);
    shown += length
      ? displayName(name.toString('utf8', start, start + length))
      : `\\x${name[start]!.toString(16)}`;
    start += length || 1;
  }
  return shown;
}

/** A path as error messages quote it. */
export function quoted(path: string): string {
  const shown = displayName(path).replaceAll('"', '\\"');
  return shown.length <= 300 ? `"${shown}"` : `"${shown.slice(0, 140)}…${shown.slice(-140)}"`;
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
  const character = bytes.toString('utf8', start, start + length);
  return length && Buffer.from(character).equals(bytes.subarray(start, start + length)) ? length : 0;
}
