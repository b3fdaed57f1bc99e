import { messageOf, parseNumberTexts } from '@mcp/kit';
import { Refused } from '../errors.ts';
import type { Records } from './records.ts';
import { TextBuffer } from './text-buffer.ts';
import { uniqueColumnNames } from './unique-column-names.ts';

/** The maximum number of columns that SQLite allows in a table. */
const maxColumns = 2_000;
/** As deep as the JSON functions of SQLite can read. */
const maxDepth = 1_000;
const space = /[\s\uFEFF]*/y;

/** Reads JSON objects, in an array or one after the other. The columns are all keys of all objects. */
export class JsonRecords implements Records {
  readonly description = 'JSON';
  readonly #columns = new Map<string, number>();

  get columns(): readonly string[] {
    return uniqueColumnNames([...this.#columns.keys()]);
  }

  *read(chunks: Iterable<string>): Generator<readonly unknown[]> {
    const buffer = new TextBuffer(chunks);
    const isArray = buffer.parse(peek) === '[';
    if (isArray) buffer.at++;
    for (let count = 1; ; count++) {
      const next = buffer.parse(peek);
      if (isArray && next === ']') return endOf(buffer);
      if (next === undefined && !isArray) return;
      const text = next === undefined ? undefined : buffer.parse(objectText);
      if (text === undefined) throw new Refused(`Line ${buffer.line}: a JSON object has no closing brace`);
      yield this.#fields(text, count, buffer.line);
      buffer.line += text.split('\n').length - 1;
      if (!isArray) continue;
      const after = buffer.parse(peek);
      if (after === ',') buffer.at++;
      else if (after !== ']') throw new Refused(`Line ${buffer.line}: expected , or ] after an object`);
    }
  }

  #fields(text: string, count: number, line: number): readonly unknown[] {
    const fields: unknown[] = [];
    for (const [name, value] of Object.entries(parsed(text, count, line))) {
      let index = this.#columns.get(name);
      if (index === undefined) {
        this.#columns.set(name, (index = this.#columns.size));
        if (index === maxColumns)
          throw new Refused(`Line ${line}: the objects have more than ${maxColumns} different keys`);
      }
      fields[index] = value;
    }
    return Array.from(fields, (value) => value ?? null);
  }
}

function endOf(buffer: TextBuffer): void {
  buffer.at++;
  if (buffer.parse(peek) !== undefined) throw new Refused(`Line ${buffer.line}: text after the array`);
}

/** Skips white space, and returns the next character. */
function peek(buffer: TextBuffer): string | undefined {
  space.lastIndex = buffer.at;
  space.test(buffer.text);
  for (let at = buffer.at; (at = buffer.text.indexOf('\n', at)) !== -1 && at < space.lastIndex; at++)
    buffer.line++;
  buffer.at = space.lastIndex;
  return buffer.text[buffer.at];
}

/** Returns the text of the object at the position; undefined if its closing brace was not read yet. */
function objectText(buffer: TextBuffer): string | undefined {
  const { text, at: start } = buffer;
  if (text[start] !== '{') throw new Refused(`Line ${buffer.line}: expected a JSON object`);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      if (at === -1) return undefined;
    } else if (character === '{' || character === '[') {
      if (++depth > maxDepth)
        throw new Refused(`Line ${buffer.line}: an object is nested in more than ${maxDepth} levels`);
    } else if ((character === '}' || character === ']') && --depth === 0) {
      buffer.at = at + 1;
      return text.slice(start, at + 1);
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const end = text.indexOf('"', at);
    if (end === -1) return -1;
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end;
    at = end;
  }
}

function parsed(text: string, count: number, line: number): object {
  try {
    return parseNumberTexts(text) as object;
  } catch (error) {
    throw new Refused(`Line ${line}: object ${count} is not JSON: ${messageOf(error)}`);
  }
}
