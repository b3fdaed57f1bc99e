/**
 * Characters that can hide, reorder or forge text: controls, format characters, separators,
 * unusual spaces, `\\`.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/gu;
const plain = /^[ -[\]-~]*$/;

/** A name that is safe to print: characters that hide or reorder text are escaped. */
export function displayName(name: string): string {
  return plain.test(name) ? name : name.replace(hidden, escaped);
}

/** The same for the bytes of a name; bytes that are not UTF-8 become `\xff`. */
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

/** A path in double quotes for error messages, escaped, and shortened to about 300 characters. */
export function quoted(path: string): string {
  const shown = displayName(path).replaceAll('"', '\\"');
  return shown.length <= 300 ? `"${shown}"` : `"${shown.slice(0, 140)}…${shown.slice(-140)}"`;
}

/** The length of a UTF-8 character by its first byte. */
const leadBytes = [
  { below: 0x80, length: 1 },
  { below: 0xc2, length: 0 },
  { below: 0xe0, length: 2 },
  { below: 0xf0, length: 3 },
  { below: 0xf5, length: 4 },
];

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (short[character]) return short[character];
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The length in bytes of the UTF-8 character at `start`; 0 when it is invalid. */
function characterLength(bytes: Buffer, start: number): number {
  const first = bytes[start]!;
  const { length } = leadBytes.find(({ below }) => first < below) ?? { length: 0 };
  const character = bytes.toString('utf8', start, start + length);
  return length && Buffer.from(character).equals(bytes.subarray(start, start + length)) ? length : 0;
}
