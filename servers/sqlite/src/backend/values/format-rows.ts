import type { Cell, RawText } from './cell-json.ts';

export type Format = 'table' | 'csv' | 'jsonl';

/** Characters of rows that are shown as text; the rest is only in the structured rows. */
const longest = 16_384;
const longestCell = 2_000;
const longestName = 200;

/** Rows as a model reads them, up to a limit. */
export class ResultText {
  readonly #format: Format;
  readonly #lines: string[];
  #length = 0;
  shown = 0;
  full = false;

  readonly #names: readonly string[];

  constructor(format: Format, names: readonly string[]) {
    this.#format = format;
    this.#names = format === 'jsonl' ? distinct(names) : names;
    this.#lines = head[format](names);
  }

  /** `json` is the row as it is in the structured result. */
  add(row: readonly (Cell | RawText)[], json: readonly string[]): void {
    if (this.full) return;
    const line = this.#line(row, json);
    if (this.#length + line.length > longest) {
      this.full = true;
      return;
    }
    this.#length += line.length;
    this.#lines.push(line);
    this.shown++;
  }

  #line(row: readonly (Cell | RawText)[], json: readonly string[]): string {
    if (this.#format === 'jsonl') {
      return `{${json.map((cell, index) => `${JSON.stringify(this.#names[index])}:${cell}`).join(',')}}`;
    }
    if (this.#format === 'csv') return row.map((cell, index) => csvCell(cell, json[index]!)).join(',');
    return `| ${row.map((cell, index) => tableCell(cell, json[index]!)).join(' | ')} |`;
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

const head: { readonly [format in Format]: (names: readonly string[]) => string[] } = {
  table: (names) => [
    `| ${names.map((name) => escaped(shortened(name, longestName))).join(' | ')} |`,
    `|${names.map(() => '---|').join('')}`,
  ],
  csv: (names) => [names.map((name) => quoted(name)).join(',')],
  jsonl: () => [],
};

/** In an object a name stands once. */
export function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  if (taken.size === names.length) return names;
  const seen = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let times = 2; seen.has(free) || (free !== name && taken.has(free)); times++)
      free = `${name}_${times}`;
    seen.add(free);
    return free;
  });
}

// Nothing in a cell may look like another cell or another row.
function tableCell(cell: Cell | RawText, json: string): string {
  if (cell === null) return 'NULL';
  if (typeof cell !== 'string') return json.startsWith('{') ? special(cell, json) : json;
  const text = escaped(shortened(cell, longestCell));
  // What could be taken for something else is quoted.
  return text === 'NULL' || text === '' ? JSON.stringify(cell) : text;
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

function special(cell: Cell | RawText, json: string): string {
  if (typeof cell === 'bigint' || typeof cell === 'number') return String(cell);
  if (!(cell instanceof Uint8Array)) return json;
  const start = Buffer.from(cell.buffer, cell.byteOffset, Math.min(cell.length, 32)).toString('hex');
  return cell.length > 32 ? `x'${start}…' (${cell.length} bytes)` : `x'${start}'`;
}

function csvCell(cell: Cell | RawText, json: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoted(cell);
  return json.startsWith('{') ? quoted(special(cell, json)) : json;
}

/** RFC 4180; an empty text is quoted, so that it is not taken for NULL. */
export function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const toEscape = /[\\|\p{Cc}\u2028\u2029]/u;

function escaped(text: string): string {
  if (!toEscape.test(text)) return text;
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/[\p{Cc}\u2028\u2029]/gu, (character) => JSON.stringify(character).slice(1, -1))
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
