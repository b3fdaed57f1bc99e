import type Database from 'better-sqlite3';
import { type Cell, cellJson, type RawText, realJson } from '../values/cell-json.ts';
import { exactRow, exactSql } from '../sql/undecodable-text.ts';
import { refuseUnlessReading } from '../sql/statement-guard.ts';
import type { Handle } from './connection.ts';
import { boundParameters, type Parameters, withRawText } from '../sql/bind-parameters.ts';
import { distinct, quoted } from '../values/format-rows.ts';
import { type Output, prepareReading, replacement } from './run-query.ts';

export type ExportFormat = 'csv' | 'jsonl';

export interface Export {
  readonly sql: string;
  readonly params?: Parameters | undefined;
  readonly format: ExportFormat;
}

const pieceLength = 48 * 1024;
/** Nothing is cut on its way into a file. */
const whole = Number.MAX_SAFE_INTEGER;

/** All rows of a query as the text of a file, piece by piece. Gives how many there were. */
export function exportRows(handle: Handle, { sql: given, params, format }: Export, output: Output): string {
  refuseUnlessReading(given);
  handle.refresh();
  const sql = withRawText(given, params);
  const plain = prepareReading(handle, sql);
  const bound = boundParameters(given, params);
  const count = write(rowsOf(plain, bound), false);
  if (count !== undefined) return String(count);
  // Some text is not what the database's encoding allows: then all of it is read as bytes.
  output.restart();
  const encoding = handle.database.pragma('encoding', { simple: true }) as string;
  const exact = prepareReading(handle, exactSql(sql, plain.columns().length));
  return String(write(exactRows(rowsOf(exact, bound), encoding), true));

  /** Gives nothing where text is not what the database holds. */
  function write(rows: Iterable<readonly (Cell | RawText)[]>, exactly: boolean): number | undefined {
    let piece = '';
    let count = 0;
    let names: readonly string[] | undefined;
    const head = () => {
      const columns = plain.columns().map(({ name }) => name);
      names = distinct(columns);
      if (format === 'csv') piece = `${columns.map((name) => quoted(name)).join(',')}\r\n`;
    };
    for (const row of rows) {
      if (!names) head();
      piece +=
        format === 'csv' ? `${row.map((cell) => csvCell(cell)).join(',')}\r\n` : `${lineOf(names!, row)}\n`;
      count++;
      if (piece.length > pieceLength) {
        if (!exactly && piece.includes(replacement)) return undefined;
        output.piece(JSON.stringify([count, piece]));
        piece = '';
      }
    }
    if (!names) head();
    if (!exactly && piece.includes(replacement)) return undefined;
    output.piece(JSON.stringify([count, piece]));
    return count;
  }
}

function rowsOf(statement: Database.Statement<unknown[], unknown>, params: readonly unknown[]) {
  return statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...params) as Iterable<Cell[]>;
}

function* exactRows(rows: Iterable<Cell[]>, encoding: string) {
  for (const row of rows) yield exactRow(row, encoding);
}

function lineOf(names: readonly string[], row: readonly (Cell | RawText)[]): string {
  return `{${row.map((cell, index) => `${JSON.stringify(names[index])}:${cellJson(cell, whole)}`).join(',')}}`;
}

function csvCell(cell: Cell | RawText): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoted(cell);
  if (cell instanceof Uint8Array) return `x'${Buffer.from(cell).toString('hex')}'`;
  if (typeof cell === 'object') return quoted(cellJson(cell, whole));
  return Number.isSafeInteger(cell) ? realJson(cell as number) : String(cell);
}
