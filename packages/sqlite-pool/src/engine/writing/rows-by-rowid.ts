import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import { rowidName } from '../schema/columns.ts';

/** A table with rowids in the schema `main`. `columns` are those that a statement can write. */
export interface RowTable {
  readonly name: string;
  readonly sql: string;
  /** The name by which statements can refer to the rowid. */
  readonly rowid: string;
  readonly columns: readonly string[];
  /** The index of the INTEGER PRIMARY KEY in `columns`; -1 if there is none. */
  readonly key: number;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** Returns a table; undefined for a view, a virtual table, and a table without rowids or with triggers. */
export function rowTable(database: Database.Database, table: string): RowTable | undefined {
  const found = database
    .prepare(
      `SELECT l.name, s.sql FROM pragma_table_list l JOIN sqlite_schema s ON s.type = 'table' AND s.name = l.name
       WHERE l.schema = 'main' AND l.name = ? COLLATE NOCASE AND l.type = 'table' AND l.wr = 0
       AND NOT EXISTS (SELECT 1 FROM sqlite_schema t WHERE t.type = 'trigger' AND t.tbl_name = l.name COLLATE NOCASE)`,
    )
    .get(table) as { readonly name: string; readonly sql: string } | undefined;
  if (!found) return undefined;
  // Generated columns are left out, because they cannot be written.
  const columns = database
    .prepare('SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(found.name) as Column[];
  const names = columns.map(({ name }) => name);
  const rowid = rowidName(columns);
  if (rowid === undefined) return undefined;
  const keys = columns.filter(({ pk }) => pk > 0);
  const key = keys.length === 1 && /^integer$/i.test(keys[0]!.type) ? columns.indexOf(keys[0]!) : -1;
  return { ...found, rowid, columns: names, key };
}

/** Reads the rows with these rowids. Each value is an SQL literal. */
export function rowsByRowid(
  database: Database.Database,
  { name, rowid, columns }: RowTable,
  rowids: readonly bigint[],
): ReadonlyMap<bigint, readonly string[]> {
  const literals = columns.map((column) => literalOf(quoteIdentifier(column)));
  const sql = `SELECT ${[rowid, ...literals].join(', ')} FROM ${quoteIdentifier(name)} WHERE ${rowid} IN (${rowids.join(', ')}) ORDER BY 1`;
  const rows = database.prepare(sql).raw(true).safeIntegers(true).all() as [bigint, ...(string | number)[]][];
  return new Map(rows.map(([id, ...cells]) => [id, cells.map((cell) => zeroText(cell))]));
}

/**
 * Turns a cell of `literalOf` into an SQL literal. A text is one already; a number is always zero, and gets
 * its sign.
 */
function zeroText(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return Object.is(cell, -0) ? '-0.0' : '0.0';
}

/**
 * Returns an SQL expression that yields the value of a column as an SQL literal. `quote` would cut a text at
 * a NUL and drop the sign of -0.0, so such a text is cast from its bytes, and zero stays a number. Line
 * breaks become `char(10)` or `char(13)`, because they could fake lines of an answer.
 */
function literalOf(column: string): string {
  const bytes = `CAST(${column} AS BLOB)`;
  return `CASE WHEN typeof(${column}) = 'real' AND ${column} = 0 THEN ${column}
    WHEN typeof(${column}) = 'text' AND instr(${bytes}, x'00') > 0 THEN 'CAST(' || quote(${bytes}) || ' AS TEXT)'
    WHEN typeof(${column}) = 'text' THEN ${oneLine(`quote(${column})`)}
    ELSE quote(${column}) END`;
}

function oneLine(quoted: string): string {
  const breaks = [10, 13];
  return breaks.reduce(
    (text, code) => `replace(${text}, char(${code}), ''' || char(${code}) || ''')`,
    quoted,
  );
}
