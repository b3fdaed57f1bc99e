import { escapedText, objectOf } from '@mcp/views/model';

/** A value of SQLite, as it is shown. */
export interface Cell {
  readonly kind: 'null' | 'integer' | 'real' | 'text' | 'blob';
  /** The value as the tools take it in parameters; undefined if only its beginning is known. */
  readonly json: unknown;
  /** The value, or its beginning; of a BLOB, and of a text that is not UTF-8, the bytes in hexadecimal. */
  readonly text: string;
  /** The number of bytes of a BLOB, and of a value of which only the beginning is known. */
  readonly bytes?: number;
  readonly isCut?: boolean;
  /** Whether `text` has bytes as hexadecimal. */
  readonly isHex?: boolean;
}

const maxShownLength = 300_000;

/** Reads a value of an answer: numbers and texts, or objects such as `{"$int":"…"}`. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return { kind: 'null', json: null, text: '' };
  if (typeof value === 'number')
    return { kind: Number.isInteger(value) ? 'integer' : 'real', json: value, text: String(value) };
  if (typeof value === 'string')
    return { kind: 'text', json: value, text: escapedText(value, maxShownLength) };
  return taggedCell(value);
}

function taggedCell(value: unknown): Cell {
  const { $int, $real, $blob, $text, $cut, bytes, type } = objectOf(value);
  const size = typeof bytes === 'number' ? bytes : 0;
  if (typeof $int === 'string') return { kind: 'integer', json: { $int }, text: escapedText($int, 40) };
  if (typeof $real === 'string') return { kind: 'real', json: { $real }, text: escapedText($real, 40) };
  if (typeof $blob === 'string')
    return { kind: 'blob', json: { $blob }, text: hexOfBase64($blob), bytes: size, isHex: true };
  if (typeof $text === 'string') {
    const text = hexOf($text);
    return { kind: 'text', json: { $text }, text, bytes: $text.length / 2, isHex: true };
  }
  if (typeof $cut === 'string') {
    const cut = { json: undefined, bytes: size, isCut: true };
    return type === 'blob'
      ? { ...cut, kind: 'blob', text: hexOf($cut), isHex: true }
      : { ...cut, kind: 'text', text: escapedText($cut, maxShownLength) };
  }
  return { kind: 'text', json: undefined, text: escapedText(JSON.stringify(value) ?? '', 200) };
}

function hexOf(text: string): string {
  return text.slice(0, maxShownLength).replaceAll(/[^\da-f]/gi, '');
}

function hexOfBase64(base64: string): string {
  try {
    const bytes = atob(base64.slice(0, maxShownLength - (maxShownLength % 4)));
    return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}

/** More characters of a value are not shown in a table. */
const maxCellLength = 300;

/** What a table shows of a value, on one line. */
export function shortText({ kind, text, bytes = 0, isHex }: Cell): string {
  if (kind === 'null') return 'NULL';
  if (isHex) return `${kind === 'blob' ? 'BLOB' : 'not UTF-8'}, ${bytesText(bytes)}`;
  const short = text.length > maxCellLength ? `${text.slice(0, maxCellLength)}…` : text;
  return short.replaceAll('\n', '↵');
}

export function bytesText(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${countText(bytes)} bytes`;
}

/** `1,234`. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** Bytes as lines: their place, 16 of them, and these as ASCII. */
export function hexLines(hex: string, maxLines: number): string[] {
  const lines = hex.match(/.{1,32}/g) ?? [];
  const shown = lines.slice(0, maxLines).map((line, index) => {
    const pairs = line.match(/../g) ?? [];
    const ascii = pairs.map((pair) => {
      const code = Number.parseInt(pair, 16);
      return code > 31 && code < 127 ? String.fromCharCode(code) : '.';
    });
    const place = (index * 16).toString(16).padStart(6, '0');
    return `${place}  ${pairs.join(' ').padEnd(47)}  ${ascii.join('')}`;
  });
  return lines.length > maxLines ? [...shown, '…'] : shown;
}
