import { type Cell, cellJson, type RawText } from '../values/cell-json.ts';
import { decode, encode, notACursor, offsetOf, queryCursor } from '../values/page-cursor.ts';
import { exactRow, exactSql } from '../sql/undecodable-text.ts';
import { DatabaseError, Refused } from '../errors.ts';
import type { Handle } from './connection.ts';
import { identifier } from '../sql/quote-identifier.ts';
import { boundParameters, withRawText } from '../sql/bind-parameters.ts';
import { all, type Column, columnsOf, existing, rowidName, type Table } from './schema.ts';

export interface TablePage {
  readonly table: string;
  readonly columns: readonly string[];
  /** Rows of cells, each as JSON. */
  readonly rows: readonly (readonly unknown[])[];
  readonly nextCursor?: string;
}

/** What stands for the values of a key. */
type Key = readonly unknown[];

const rowBytes = 256 * 1024;
const pageBytes = 512 * 1024;

/**
 * A page of a table in the order of its key. The cursor is the last key, so that pages fit together while others
 * write; a view has no key, so that its pages are of one commit.
 */
export function readRows(
  handle: Handle,
  {
    table: name,
    cursor,
    limit,
  }: { readonly table: string; readonly cursor?: string | undefined; readonly limit: number },
): TablePage {
  handle.refresh();
  const table = existing(handle, name);
  const every = columnsOf(handle, table.name);
  const shown = every.filter(({ hidden }) => !hidden);
  const key = orderOf(handle, table, every);
  // What has no key is counted, and only as long as nothing changes.
  const query = JSON.stringify(['rows', table.name]);
  const skipped =
    key.length > 0 || cursor === undefined ? 0 : offsetOf(cursor, { query, change: handle.changeNow });
  const after = key.length === 0 || cursor === undefined ? undefined : decode(cursor);
  if (after && (after[0] !== table.name || after.length !== key.length + 1)) throw notACursor(cursor!);

  const columns = shown.map(({ name: each }) => identifier(each));
  const from = `FROM ${identifier(table.name)}`;
  const wanted = [...columns, ...key.map((each) => each.name)].join(', ');
  const order = key.map(({ compared }) => compared).join(', ');
  const sql =
    key.length === 0
      ? `SELECT ${wanted} ${from} LIMIT ? OFFSET ?`
      : `SELECT ${wanted} ${from} ${after ? `WHERE (${order}) > (${key.map(() => '?').join(', ')})` : ''} ORDER BY ${order} LIMIT ?`;
  const params =
    key.length === 0
      ? [BigInt(limit + 1), BigInt(skipped)]
      : [...boundKey(after?.slice(1) ?? [], cursor), BigInt(limit + 1)];

  const found = rowsOf(handle, withRawText(sql, after?.slice(1)), params);
  const page: (readonly string[])[] = [];
  let bytes = 0;
  for (const row of found.slice(0, limit)) {
    const cells = row.map((cell) => cellJson(cell, rowBytes));
    bytes += cells.join().length;
    if (bytes > pageBytes && page.length > 0) break;
    page.push(cells);
  }
  const last = page.at(-1);
  const more = last !== undefined && found.length > page.length;
  const next = () =>
    key.length === 0
      ? queryCursor(skipped + page.length, query, handle.change)
      : encode([table.name, ...last!.slice(columns.length).map((value) => JSON.parse(value) as unknown)]);
  return {
    table: table.name,
    columns: shown.map(({ name: each }) => each),
    rows: page.map((cells) => cells.slice(0, columns.length).map((cell) => JSON.parse(cell) as unknown)),
    ...(more && { nextCursor: next() }),
  };
}

/**
 * The row with this key: the value of a single column as it is, or a JSON array of several, in the order of the
 * primary key.
 */
export function readRow(
  handle: Handle,
  { table: name, key: given }: { readonly table: string; readonly key: string },
): { readonly table: string; readonly row: { readonly [column: string]: unknown } } {
  handle.refresh();
  const table = existing(handle, name);
  const every = columnsOf(handle, table.name);
  const key = keyOf(handle, table, every);
  if (key.length === 0) throw new Refused(`"${table.name}" has no key, so that a row cannot be named`);
  const values = given.startsWith('[') || given.startsWith('{') ? keyValues(given) : [given];
  if (values.length !== key.length) {
    throw new Refused(
      `The key of "${table.name}" has ${key.length} columns: write a JSON array of their values`,
    );
  }
  const shown = every.filter(({ hidden }) => !hidden);
  const columns = shown.map(({ name: each }) => identifier(each)).join(', ');
  const where = key.map(({ compared }) => `${compared} = ?`).join(' AND ');
  const sql = `SELECT ${columns} FROM ${identifier(table.name)} WHERE ${where}`;
  const [row] = rowsOf(handle, withRawText(sql, values), boundParameters('', values));
  if (!row) throw new DatabaseError({ message: `No row ${JSON.stringify(given)} in "${table.name}"` });
  const cells = row.map((cell) => JSON.parse(cellJson(cell, rowBytes)) as unknown);
  return {
    table: table.name,
    row: Object.fromEntries(cells.map((cell, index) => [shown[index]!.name, cell])),
  };
}

interface KeyColumn {
  /** As SQL. */
  readonly name: string;
  /** With the collation of the key: by that of the column others may be equal. */
  readonly compared: string;
}

/** The columns by which pages are ordered: no row has the same values as another, or NULL; none for a view. */
function orderOf(handle: Handle, table: Table, columns: readonly Column[]): readonly KeyColumn[] {
  if (table.kind === 'view') return [];
  const { key, neverNull } = primaryKeyOf(handle, table, columns);
  return key.length > 0 && neverNull ? key : rowidOf(columns);
}

/** The columns by which a row is named: the primary key, or the rowid where there is none; none for a view. */
function keyOf(handle: Handle, table: Table, columns: readonly Column[]): readonly KeyColumn[] {
  if (table.kind === 'view') return [];
  const { key } = primaryKeyOf(handle, table, columns);
  return key.length > 0 ? key : rowidOf(columns);
}

function primaryKeyOf(handle: Handle, { name, wr }: Table, columns: readonly Column[]) {
  const primary = columns
    .filter(({ primaryKey }) => primaryKey !== undefined)
    .toSorted((a, b) => a.primaryKey! - b.primaryKey!);
  const index = primaryIndexOf(handle, name);
  return {
    key: primary.map((each) => keyColumn(each, index)),
    // An INTEGER PRIMARY KEY that is the rowid by another name has no index; in any other one NULL may be.
    neverNull: wr === 1 || index.length === 0 || primary.every(({ notNull }) => notNull),
  };
}

interface IndexColumn {
  readonly name: string | null;
  readonly coll: string;
}

/** The columns of the index that a primary key has, unless it is the rowid. */
function primaryIndexOf(handle: Handle, table: string): readonly IndexColumn[] {
  return all<IndexColumn>(
    handle,
    `SELECT i.name, i.coll FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS i
     WHERE l.origin = 'pk' AND i.key = 1`,
    table,
  );
}

function keyColumn({ name }: Column, index: readonly IndexColumn[]): KeyColumn {
  const quoted = identifier(name);
  const collation = index.find((each) => each.name === name)?.coll;
  return {
    name: quoted,
    compared: collation === undefined ? quoted : `${quoted} COLLATE ${identifier(collation)}`,
  };
}

function rowidOf(columns: readonly Column[]): readonly KeyColumn[] {
  const rowid = rowidName(columns);
  return rowid === undefined ? [] : [{ name: rowid, compared: rowid }];
}

function rowsOf(
  handle: Handle,
  sql: string,
  params: readonly unknown[],
): readonly (readonly (Cell | RawText)[])[] {
  const statement = handle.prepare(sql).raw(true).safeIntegers(true);
  const rows = statement.all(...params) as Cell[][];
  if (!rows.some((row) => row.some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'))))
    return rows;
  const encoding = handle.database.pragma('encoding', { simple: true }) as string;
  const exact = handle.prepare(exactSql(sql, statement.columns().length)).raw(true).safeIntegers(true);
  return (exact.all(...params) as Cell[][]).map((row) => exactRow(row, encoding));
}

function boundKey(values: Key, cursor: string | undefined): readonly unknown[] {
  try {
    return boundParameters('', values);
  } catch {
    throw notACursor(cursor ?? '');
  }
}

function keyValues(given: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(given);
    return Array.isArray(values) ? values : [values];
  } catch {
    throw new Refused(`Not a key: ${JSON.stringify(given)}`);
  }
}
