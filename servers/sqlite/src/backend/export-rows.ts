import { type Cell, cellJson } from './cell.ts';
import { refuseUnlessReading } from './gate.ts';
import type { Handle } from './handle.ts';
import { boundParameters, type Parameters, withRawText } from './parameters.ts';
import { quoted } from './result-text.ts';
import { type Output, prepareReading } from './run-query.ts';

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
export function exportRows(handle: Handle, { sql, params, format }: Export, output: Output): string {
  refuseUnlessReading(sql);
  handle.refresh();
  const statement = prepareReading(handle, withRawText(sql, params));
  let piece = '';
  let count = 0;
  let names: readonly string[] | undefined;
  const head = () => {
    const given = statement.columns().map(({ name }) => name);
    names = unique(given);
    if (format === 'csv') piece = `${given.map((name) => quoted(name)).join(',')}\r\n`;
  };
  const rows = statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...boundParameters(sql, params)) as Iterable<Cell[]>;
  for (const row of rows) {
    if (!names) head();
    piece +=
      format === 'csv' ? `${row.map((cell) => csvCell(cell)).join(',')}\r\n` : `${lineOf(names!, row)}\n`;
    count++;
    if (piece.length > pieceLength) {
      output.piece(JSON.stringify([count, piece]));
      piece = '';
    }
  }
  if (!names) head();
  output.piece(JSON.stringify([count, piece]));
  return String(count);
}

function lineOf(names: readonly string[], row: readonly Cell[]): string {
  return `{${row.map((cell, index) => `${JSON.stringify(names[index])}:${cellJson(cell, whole)}`).join(',')}}`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoted(cell);
  if (cell instanceof Uint8Array) return `x'${Buffer.from(cell).toString('hex')}'`;
  return String(cell);
}

/** In an object a name stands once. */
function unique(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name}_${times}`;
  });
}
