import { Refused } from '../errors.ts';
import type { Records } from './records.ts';
import { TextBuffer } from './text-buffer.ts';
import { uniqueColumnNames } from './unique-column-names.ts';

const delimiters = [',', '\t', ';', '|'];
const lineFeed = 10;
const carriageReturn = 13;

type Field = string | null;

/** Reads CSV (RFC 4180) with a header. An unquoted empty field is null; each record must fit the header. */
export class CsvRecords implements Records {
  columns: readonly string[] = [];
  #delimiter: string | undefined;

  /** `delimiter` defaults to whichever of `,`, tab, `;` and `|` is most frequent in the header. */
  constructor(delimiter?: string) {
    this.#delimiter = delimiter;
  }

  get description(): string {
    const delimiter = this.#delimiter === '\t' ? 'tab' : `"${this.#delimiter}"`;
    return `CSV with the delimiter ${delimiter}`;
  }

  *read(chunks: Iterable<string>): Generator<readonly Field[]> {
    const buffer = new TextBuffer(chunks);
    const header = buffer.parse((rest) => this.#header(rest));
    if (!header) throw new Refused('The file is empty; expected a header');
    this.columns = columnNames(header);
    for (;;) {
      const { line } = buffer;
      const fields = buffer.parse((rest) => parseRecord(rest, this.#delimiter!));
      if (!fields) return;
      if (fields.length === header.length) yield fields;
      else if (fields.length > 1 || fields[0] !== null) {
        throw new Refused(`Line ${line} has ${fields.length} fields; the header has ${header.length}`);
      }
    }
  }

  #header(buffer: TextBuffer): readonly Field[] | undefined {
    if (this.#delimiter !== undefined) return parseRecord(buffer, this.#delimiter);
    const end = buffer.text.search(/[\r\n]/);
    if (end === -1 && !buffer.isLast) return undefined;
    const line = (end === -1 ? buffer.text : buffer.text.slice(0, end)).replaceAll(/"[^"]*"/g, '');
    const counts = delimiters.map((each) => line.split(each).length);
    this.#delimiter = delimiters[counts.indexOf(Math.max(...counts))]!;
    return parseRecord(buffer, this.#delimiter);
  }
}

/** Returns the names of the columns. If the third has no name, its name is `column3`. */
function columnNames(header: readonly Field[]): readonly string[] {
  return uniqueColumnNames(
    header.map((field, index) =>
      field === null || field.trim() === '' ? `column${index + 1}` : field.trim(),
    ),
  );
}

/** Parses the next record. Returns undefined if the record is incomplete, or at the end of the file. */
function parseRecord(buffer: TextBuffer, delimiter: string): readonly Field[] | undefined {
  const { text, at: start, isLast } = buffer;
  if (start >= text.length) return undefined;
  const code = delimiter.charCodeAt(0);
  const fields: Field[] = [];
  let newlines = 0;
  for (let at = start; ;) {
    let end: number;
    if (text[at] === '"') {
      const quoted = parseQuoted(buffer, at);
      if (!quoted) return undefined;
      fields.push(quoted.value);
      ({ end } = quoted);
      newlines += quoted.value.split('\n').length - 1;
    } else {
      end = endOfField(text, at, code);
      if (end === text.length && !isLast) return undefined;
      fields.push(end === at ? null : text.slice(at, end));
    }
    at = end + 1;
    if (text.charCodeAt(end) === code) continue;
    if (text.charCodeAt(end) === carriageReturn) {
      if (at === text.length && !isLast) return undefined;
      if (text.charCodeAt(at) === lineFeed) at++;
    }
    buffer.at = at;
    buffer.line += newlines + 1;
    return fields;
  }
}

function endOfField(text: string, from: number, delimiter: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === lineFeed || code === carriageReturn) break;
  }
  return at;
}

/** Parses a quoted field. `start` is at its opening quote, `end` is after its closing quote. */
function parseQuoted(
  { text, isLast, line }: TextBuffer,
  start: number,
): { readonly value: string; readonly end: number } | undefined {
  let from = start + 1;
  let value = '';
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1 && isLast) throw new Refused(`Line ${line}: a quoted field has no closing quote`);
    if (quote === -1 || (quote + 1 === text.length && !isLast)) return undefined;
    if (text[quote + 1] !== '"') {
      value += text.slice(from, quote);
      const end = quote + 1;
      if (end < text.length && !/[,;|\t\r\n]/.test(text[end]!)) {
        throw new Refused(
          `Line ${line}: text after a closing quote: ${JSON.stringify(text.slice(end, end + 20))}`,
        );
      }
      return { value, end };
    }
    value += text.slice(from, quote + 1);
    from = quote + 2;
  }
}
