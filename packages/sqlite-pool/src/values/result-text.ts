import { beginningOf } from '../errors.ts';
import { type Cell, cellJson, type RawText } from './cell-json.ts';
import { assertShortHead, replacement, type ResultLimits, tooLongRow } from './result-limits.ts';

export type TextFormat = 'table' | 'csv' | 'jsonl';

/** Maximum number of characters of all rows. Only the first row may be longer. */
const maxTextLength = 16_384;
/**
 * Maximum number of characters of a table cell. With many columns it is lower, but at least `minCellLength`.
 */
const maxCellLength = 2_000;
const minCellLength = 40;
const maxNameLength = 200;

/** Collects a result as text for a model: a table, CSV or JSON Lines, up to 16 Ki characters. */
export class ResultText {
  readonly #format: TextFormat;
  readonly #limits: ResultLimits;
  readonly #lines: string[];
  readonly #names: readonly string[];
  readonly #cellLength: number;
  readonly #headBytes: number;
  #length = 0;
  /**
   * Whether a name or a row had U+FFFD, which the driver puts for bytes that are invalid in the database's
   * encoding. The query is then run again to read the exact bytes.
   */
  sawReplacement: boolean;

  constructor(format: TextFormat, names: readonly string[], limits: ResultLimits) {
    this.#format = format;
    this.#limits = limits;
    this.#names = format === 'jsonl' ? uniqueNames(names) : names;
    this.#lines = head[format](names);
    this.#headBytes = Buffer.byteLength(this.#lines.join('\n'));
    assertShortHead(this.#headBytes, limits);
    const share = Math.floor((limits.maxBytes - this.#headBytes) / 2 / names.length);
    this.#cellLength = Math.min(maxCellLength, Math.max(minCellLength, share));
    this.sawReplacement = !limits.exact && names.some((name) => name.includes(replacement));
  }

  hasReplacement(): boolean {
    return this.sawReplacement;
  }

  add(row: readonly (Cell | RawText)[]): boolean {
    const { maxBytes, exact } = this.#limits;
    const maxCellBytes = Math.floor(maxBytes / 4);
    const line = this.#line(
      row,
      row.map((cell) => cellJson(cell, maxCellBytes)),
    );
    if (this.#length > 0 && this.#length + line.length > maxTextLength) return false;
    const room = maxBytes - this.#headBytes;
    if (line.length * 3 > room && Buffer.byteLength(line) > room) {
      if (this.#length > 0) return false;
      throw tooLongRow(this.#limits);
    }
    this.sawReplacement ||= !exact && line.includes(replacement);
    this.#length += line.length + 1;
    this.#lines.push(line);
    return true;
  }

  #line(row: readonly (Cell | RawText)[], json: readonly string[]): string {
    if (this.#format === 'jsonl') {
      return `{${json.map((cell, index) => `${JSON.stringify(this.#names[index])}:${cell}`).join(',')}}`;
    }
    if (this.#format === 'csv') return row.map((cell, index) => csvCell(cell, json[index]!)).join(',');
    return `| ${row.map((cell, index) => tableCell(cell, json[index]!, this.#cellLength)).join(' | ')} |`;
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

const head: { readonly [format in TextFormat]: (names: readonly string[]) => string[] } = {
  table: (names) => tableHead(names.map((name) => beginningOf(name, maxNameLength))),
  csv: (names) => [names.map((name) => csvQuoted(name)).join(',')],
  jsonl: () => [],
};

/** Returns the first two lines of a Markdown table. */
export function tableHead(names: readonly string[]): string[] {
  return [`| ${names.map((name) => escaped(name)).join(' | ')} |`, `|${names.map(() => '---|').join('')}`];
}

/** Returns a row of a Markdown table. Its values are not cut. */
export function tableRow(row: readonly (Cell | RawText)[]): string {
  const cells = row.map((cell) => {
    if (cell instanceof Uint8Array) return `x'${Buffer.from(cell).toString('hex')}'`;
    return tableCell(cell, cellJson(cell, Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  });
  return `| ${cells.join(' | ')} |`;
}

/** Makes names unique by appending `_2`, `_3` …, so that they can be the keys of an object. */
export function uniqueNames(names: readonly string[]): readonly string[] {
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

// Returns a cell of a table, escaped so that it cannot look like several cells or rows.
function tableCell(cell: Cell | RawText, json: string, maxLength: number): string {
  if (cell === null) return 'NULL';
  if (typeof cell !== 'string') return json.startsWith('{') ? specialText(cell, json) : json;
  const text = escaped(beginningOf(cell, maxLength)) + cutNote(cell, maxLength);
  // The text `NULL` and the empty text are quoted, to distinguish them from NULL.
  return text === 'NULL' || text === '' ? JSON.stringify(cell) : text;
}

/** Returns a note with the length of a text if the text was cut. */
function cutNote(text: string, maxLength: number): string {
  return text.length > maxLength ? ` (${text.length} characters)` : '';
}

function specialText(cell: Cell | RawText, json: string): string {
  if (typeof cell === 'bigint' || typeof cell === 'number') return String(cell);
  if (!(cell instanceof Uint8Array)) return json;
  const start = Buffer.from(cell.buffer, cell.byteOffset, Math.min(cell.length, 32)).toString('hex');
  return cell.length > 32 ? `x'${start}…' (${cell.length} bytes)` : `x'${start}'`;
}

function csvCell(cell: Cell | RawText, json: string): string {
  if (cell === null) return '';
  // A text becomes a JSON object, `{"$cut":…}`, only if it was cut.
  if (typeof cell === 'string') return csvQuoted(json.startsWith('{') ? json : cell);
  return json.startsWith('{') ? csvQuoted(specialText(cell, json)) : json;
}

/** Quotes text for CSV (RFC 4180). Empty text is quoted, too, to distinguish it from NULL. */
export function csvQuoted(text: string): string {
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
