import { type Cell, RawText } from '../values/cell-json.ts';
import { Refused } from '../errors.ts';
import { bareStatement } from './tokenizer.ts';

/** SQLite takes 2,000 columns at most, and two are needed for each. */
const most = 1_000;

/** A statement that gives each column as its type, and as its value with text as bytes. */
export function exactSql(sql: string, columns: number): string {
  if (columns > most) {
    throw new Refused('There is text that is not UTF-8 in more than 1,000 columns', 'Select fewer columns');
  }
  const names = Array.from({ length: columns }, (_, index) => `c${index}`);
  const values = names.map(
    (name) => `typeof(${name}), CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`,
  );
  return `WITH q(${names.join(', ')}) AS (\n${bareStatement(sql)}\n) SELECT ${values.join(', ')} FROM q`;
}

/** The row of such a statement as it was meant: text that is what the encoding allows, other text as its bytes. */
export function exactRow(row: readonly Cell[], encoding: string): (Cell | RawText)[] {
  const exact: (Cell | RawText)[] = [];
  const decoder = new TextDecoder(encoding.toLowerCase(), { fatal: true, ignoreBOM: true });
  const decode = (bytes: Uint8Array) => decoder.decode(bytes);
  for (let index = 0; index < row.length; index += 2) {
    const value = row[index + 1]!;
    exact.push(row[index] === 'text' ? decoded(value as Uint8Array, decode) : value);
  }
  return exact;
}

function decoded(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): string | RawText {
  try {
    return decode(bytes);
  } catch {
    return new RawText(bytes);
  }
}
