import type { PieceSink } from '../piece-sink.ts';
import { boundParameters, type SqlParameters, withRawText } from '../sql/bind-parameters.ts';
import { assertReading } from '../sql/statement-guard.ts';
import { type Cell, cellJson, type RawText, realJson } from '../values/cell-json.ts';
import { csvQuoted, tableHead, tableRow, uniqueNames } from '../values/result-text.ts';
import type { Connection } from './connection.ts';
import { type FileTable, withFileTables } from './file-tables.ts';
import { iterateCells, iterateExactly, prepareReading } from './prepare-reading.ts';
import { replacement } from '../values/result-limits.ts';

export type ExportFormat = 'csv' | 'jsonl' | 'md';

export interface Export {
  readonly sql: string;
  readonly params?: SqlParameters | undefined;
  readonly format: ExportFormat;
  readonly files?: readonly FileTable[] | undefined;
}

const pieceLength = 48 * 1024;
/** A file contains every value in full, so cells are not cut. */
const maxCellBytes = Number.MAX_SAFE_INTEGER;

/** Writes all rows in pieces, each the JSON `[rows so far, text]`. Returns the row count. */
export function exportRows(connection: Connection, { files, ...query }: Export, sink: PieceSink): string {
  assertReading(query.sql);
  connection.refresh();
  return withFileTables(connection, files, () => exportQuery(connection, query, sink));
}

function exportQuery(
  connection: Connection,
  { sql: given, params, format }: Export,
  sink: PieceSink,
): string {
  const sql = withRawText(given, params);
  const plain = prepareReading(connection, sql);
  const bound = boundParameters(given, params);
  const columns = () => plain.columns().map(({ name }) => name);
  const count = writeRows(columns, iterateCells(plain, bound), { format, exact: false }, sink);
  if (count !== undefined) return String(count);
  // Some text is invalid in the database's encoding. So all rows are read again, with text as bytes.
  sink.restart();
  const rows = iterateExactly(connection, sql, bound);
  return String(writeRows(columns, rows, { format, exact: true }, sink));
}

/**
 * Writes the rows and returns their number. Without `exact`, returns undefined if a text may be invalid in
 * the encoding of the database; the caller then writes again with `exact`.
 */
function writeRows(
  columns: () => readonly string[],
  rows: Iterable<readonly (Cell | RawText)[]>,
  { format, exact }: { readonly format: ExportFormat; readonly exact: boolean },
  sink: PieceSink,
): number | undefined {
  let piece = '';
  let count = 0;
  let names: readonly string[] | undefined;
  const begin = () => {
    // The names are read here, because the driver knows the final columns only once the statement has begun.
    const found = columns();
    names = uniqueNames(found);
    if (format === 'csv') piece = `${found.map((name) => csvQuoted(name)).join(',')}\r\n`;
    else if (format === 'md') piece = `${tableHead(found).join('\n')}\n`;
  };
  for (const row of rows) {
    if (!names) begin();
    piece += lineOf(format, names!, row);
    count++;
    if (piece.length > pieceLength) {
      if (!exact && piece.includes(replacement)) return undefined;
      sink.write(JSON.stringify([count, piece]));
      piece = '';
    }
  }
  if (!names) begin();
  if (!exact && piece.includes(replacement)) return undefined;
  sink.write(JSON.stringify([count, piece]));
  return count;
}

function lineOf(format: ExportFormat, names: readonly string[], row: readonly (Cell | RawText)[]): string {
  if (format === 'csv') return `${row.map((cell) => csvCell(cell)).join(',')}\r\n`;
  if (format === 'md') return `${tableRow(row)}\n`;
  return `${jsonLine(names, row)}\n`;
}

function jsonLine(names: readonly string[], row: readonly (Cell | RawText)[]): string {
  return `{${row.map((cell, index) => `${JSON.stringify(names[index])}:${cellJson(cell, maxCellBytes)}`).join(',')}}`;
}

function csvCell(cell: Cell | RawText): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return csvQuoted(cell);
  if (cell instanceof Uint8Array) return `x'${Buffer.from(cell).toString('hex')}'`;
  if (typeof cell === 'object') return csvQuoted(cellJson(cell, maxCellBytes));
  return Number.isSafeInteger(cell) ? realJson(cell as number) : String(cell);
}
