import { Refused } from '../errors.ts';
import { exactRows, exactSql } from '../sql/undecodable-text.ts';
import type { Cell, RawText } from '../values/cell-json.ts';
import type { Connection, PreparedStatement } from './connection.ts';

/** Prepares SQL that `assertReading` has accepted. Throws if SQLite itself does not consider it read-only. */
export function prepareReading(connection: Connection, sql: string): PreparedStatement {
  const statement = connection.prepare(sql);
  if (statement.reader && statement.readonly) return statement;
  throw new Refused('This statement writes; expected one that only reads', undefined, 'writes');
}

/** Yields the rows of a statement one by one. Integers are BigInt. */
export function iterateCells(statement: PreparedStatement, params: readonly unknown[]): Iterable<Cell[]> {
  return statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...params) as Iterable<Cell[]>;
}

/** Returns all rows of a statement in one array: much faster than row by row, but it needs more memory. */
export function allCells(statement: PreparedStatement, params: readonly unknown[]): Cell[][] {
  return statement
    .raw(true)
    .safeIntegers(true)
    .all(...params) as Cell[][];
}

/** Yields the rows of a query. Text that is invalid in the database's encoding becomes `RawText`. */
export function iterateExactly(
  connection: Connection,
  sql: string,
  params: readonly unknown[],
): Iterable<(Cell | RawText)[]> {
  const columns = prepareReading(connection, sql).columns().length;
  const statement = prepareReading(connection, exactSql(sql, columns));
  const encoding = connection.database.pragma('encoding', { simple: true }) as string;
  return exactRows(iterateCells(statement, params), encoding);
}
