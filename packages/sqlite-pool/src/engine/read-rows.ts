import { parseExactJson } from '@mcp/kit';
import { type Cell, cellJson, type RawText } from '../values/cell-json.ts';
import { decodeCursor, encodeCursor, invalidCursor, offsetOf, queryCursor } from '../values/page-cursor.ts';
import { DatabaseError, Refused } from '../errors.ts';
import type { Connection } from './connection.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { boundParameters, withRawText } from '../sql/bind-parameters.ts';
import { allCells, iterateExactly } from './prepare-reading.ts';
import { type Column, columnsOf, rowidName } from './schema/columns.ts';
import { findTable, type Table } from './schema/find-table.ts';
import { queryAll } from './schema/query-all.ts';
import { replacement } from '../values/result-limits.ts';

export interface TablePage {
  readonly table: string;
  readonly columns: readonly string[];
  /** Rows as arrays of cells, each encoded as JSON. */
  readonly rows: readonly (readonly unknown[])[];
  readonly nextCursor?: string;
}

const maxCellBytes = 256 * 1024;
const maxPageBytes = 512 * 1024;

/**
 * Returns a page of a table in the order of its key. The cursor has the last key, so no row is repeated or
 * left out while others write. A view has no key, so its cursor has an offset, and is refused after a commit.
 */
export function readRows(
  connection: Connection,
  {
    table: name,
    cursor,
    limit,
  }: { readonly table: string; readonly cursor?: string | undefined; readonly limit: number },
): TablePage {
  connection.refresh();
  const table = findTable(connection, name);
  const columnsWithHidden = columnsOf(connection, table.name);
  const shown = columnsWithHidden.filter(({ hidden }) => !hidden);
  const key = keyColumns(connection, table, columnsWithHidden, { neverNull: true });
  const query = JSON.stringify(['rows', table.name]);
  const skipped =
    key.length > 0 || cursor === undefined ? 0 : offsetOf(cursor, { query, stamp: connection.latestStamp });
  const after = key.length === 0 || cursor === undefined ? undefined : decodeCursor(cursor);
  if (after && (after[0] !== table.name || after.length !== key.length + 1)) throw invalidCursor(cursor!);

  const columns = shown.map(({ name: each }) => quoteIdentifier(each));
  const from = `FROM ${quoteIdentifier(table.name)}`;
  const selected = [...columns, ...key.map((each) => each.name)].join(', ');
  const order = key.map(({ compared }) => compared).join(', ');
  const sql =
    key.length === 0
      ? `SELECT ${selected} ${from} LIMIT ? OFFSET ?`
      : `SELECT ${selected} ${from} ${after ? `WHERE (${order}) > (${key.map(() => '?').join(', ')})` : ''} ORDER BY ${order} LIMIT ?`;
  const params =
    key.length === 0
      ? [BigInt(limit + 1), BigInt(skipped)]
      : [...boundKey(after?.slice(1) ?? [], cursor), BigInt(limit + 1)];

  const found = exactRowsOf(connection, withRawText(sql, after?.slice(1)), params);
  const page: (readonly string[])[] = [];
  let bytes = 0;
  for (const row of found.slice(0, limit)) {
    const cells = row.slice(0, columns.length).map((cell) => cellJson(cell, maxCellBytes));
    bytes += cells.join().length;
    if (bytes > maxPageBytes && page.length > 0) break;
    page.push(cells);
  }
  const last = found[page.length - 1];
  const more = last !== undefined && found.length > page.length;
  const next = () =>
    key.length === 0
      ? queryCursor(skipped + page.length, query, connection.snapshotStamp)
      : encodeCursor([table.name, ...last!.slice(columns.length).map(keyValue)]);
  return {
    table: table.name,
    columns: shown.map(({ name: each }) => each),
    rows: page.map((cells) => cells.map((cell) => parseExactJson(cell))),
    ...(more && { nextCursor: next() }),
  };
}

/**
 * A key of several columns is a JSON array in the order of the primary key. Throws if there is no such row.
 */
export function readRow(
  connection: Connection,
  { table: name, key: given }: { readonly table: string; readonly key: string },
): { readonly table: string; readonly row: { readonly [column: string]: unknown } } {
  connection.refresh();
  const table = findTable(connection, name);
  const columnsWithHidden = columnsOf(connection, table.name);
  const key = keyColumns(connection, table, columnsWithHidden, { neverNull: false });
  if (key.length === 0) throw new Refused(`"${table.name}" is a view: its rows have no key`);
  const values = given.startsWith('[') || given.startsWith('{') ? keyValues(given) : [given];
  if (values.length !== key.length) {
    throw new Refused(
      `The key of "${table.name}" has ${key.length} columns; expected a JSON array of their values`,
    );
  }
  const shown = columnsWithHidden.filter(({ hidden }) => !hidden);
  const columns = shown.map(({ name: each }) => quoteIdentifier(each)).join(', ');
  const where = key.map(({ compared }) => `${compared} = ?`).join(' AND ');
  const sql = `SELECT ${columns} FROM ${quoteIdentifier(table.name)} WHERE ${where}`;
  const [row] = exactRowsOf(connection, withRawText(sql, values), boundParameters('', values));
  if (!row) throw new DatabaseError({ message: `No row ${JSON.stringify(given)} in "${table.name}"` });
  const cells = row.map((cell) => parseExactJson(cellJson(cell, maxCellBytes)));
  return {
    table: table.name,
    row: Object.fromEntries(cells.map((cell, index) => [shown[index]!.name, cell])),
  };
}

interface KeyColumn {
  readonly name: string;
  /**
   * The quoted name with the key's collation. That can be BINARY although the column's is NOCASE, for
   * example.
   */
  readonly compared: string;
}

/**
 * Returns the columns that identify a row: the primary key or, without one, the rowid; none for a view. Pages
 * need a key that is never NULL: with `neverNull`, the rowid replaces a primary key that may contain NULL.
 */
function keyColumns(
  connection: Connection,
  { name, kind, wr }: Table,
  columns: readonly Column[],
  { neverNull }: { readonly neverNull: boolean },
): readonly KeyColumn[] {
  if (kind === 'view') return [];
  const primary = columns
    .filter(({ primaryKey }) => primaryKey !== undefined)
    .toSorted((a, b) => a.primaryKey! - b.primaryKey!);
  // An INTEGER PRIMARY KEY has no index. It is an alias of the rowid, so it is never NULL.
  const index = queryAll<{ name: string | null; coll: string }>(
    connection,
    `SELECT i.name, i.coll FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS i
     WHERE l.origin = 'pk' AND i.key = 1`,
    name,
  );
  const mayBeNull = wr !== 1 && index.length > 0 && primary.some(({ notNull }) => !notNull);
  if (primary.length === 0 || (neverNull && mayBeNull)) {
    const rowid = rowidName(columns);
    return rowid === undefined ? [] : [{ name: rowid, compared: rowid }];
  }
  return primary.map((column) => {
    const quoted = quoteIdentifier(column.name);
    const collation = index.find((each) => each.name === column.name)?.coll;
    return {
      name: quoted,
      compared: collation === undefined ? quoted : `${quoted} COLLATE ${quoteIdentifier(collation)}`,
    };
  });
}

function exactRowsOf(
  connection: Connection,
  sql: string,
  params: readonly unknown[],
): readonly (readonly (Cell | RawText)[])[] {
  const rows = allCells(connection.prepare(sql), params);
  const mayBeInvalid = (cell: Cell) => typeof cell === 'string' && cell.includes(replacement);
  return rows.some((row) => row.some(mayBeInvalid)) ? [...iterateExactly(connection, sql, params)] : rows;
}

/** The value of a key in the form in which a cursor stores it. It is never cut. */
function keyValue(cell: Cell | RawText): unknown {
  return parseExactJson(cellJson(cell, Number.MAX_SAFE_INTEGER));
}

function boundKey(values: readonly unknown[], cursor: string | undefined): readonly unknown[] {
  try {
    return boundParameters('', values);
  } catch {
    throw invalidCursor(cursor ?? '');
  }
}

function keyValues(given: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(given);
    return Array.isArray(values) ? values : [values];
  } catch {
    throw new Refused(`Invalid key: ${JSON.stringify(given)}; expected a JSON array`);
  }
}
