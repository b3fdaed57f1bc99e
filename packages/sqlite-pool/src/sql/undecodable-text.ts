import { Refused } from '../errors.ts';
import { type Cell, RawText } from '../values/cell-json.ts';
import { bareStatement } from './tokenizer.ts';

/** SQLite allows 2,000 columns, and `exactSql` turns each column into two. */
const maxColumns = 1_000;

/** Wraps a statement so that each column becomes two columns: its type, and its value with text as bytes. */
export function exactSql(sql: string, columns: number): string {
  if (columns > maxColumns) {
    throw new Refused(
      `Text that is not UTF-8 can be read from at most ${maxColumns} columns; the result has ${columns}`,
      'Select fewer columns',
    );
  }
  const names = Array.from({ length: columns }, (_, index) => `c${index}`);
  const values = names.map(
    (name) => `typeof(${name}), CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`,
  );
  return `WITH q(${names.join(', ')}) AS (\n${bareStatement(sql)}\n) SELECT ${values.join(', ')} FROM q`;
}

/** Decodes rows of `exactSql`. Valid text becomes a string, other text becomes `RawText`. */
export function* exactRows(rows: Iterable<readonly Cell[]>, encoding: string): Generator<(Cell | RawText)[]> {
  const decoder = new TextDecoder(encoding.toLowerCase(), { fatal: true, ignoreBOM: true });
  for (const row of rows) {
    const exact: (Cell | RawText)[] = [];
    for (let index = 0; index < row.length; index += 2) {
      const value = row[index + 1]!;
      exact.push(row[index] === 'text' ? decoded(value as Uint8Array, decoder) : value);
    }
    yield exact;
  }
}

function decoded(bytes: Uint8Array, decoder: { decode(bytes: Uint8Array): string }): string | RawText {
  try {
    return decoder.decode(bytes);
  } catch {
    return new RawText(bytes);
  }
}
