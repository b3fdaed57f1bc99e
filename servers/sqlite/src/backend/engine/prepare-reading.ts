import type { Cell } from '../values/cell-json.ts';
import { Refused } from '../errors.ts';
import type { Connection, PreparedStatement } from './connection.ts';

/** Prepares SQL that the guard let through. Throws unless SQLite too considers it read-only. */
export function prepareReading(connection: Connection, sql: string): PreparedStatement {
  const statement = connection.prepare(sql);
  if (statement.reader && statement.readonly) return statement;
  throw new Refused('This statement writes', 'Use the tool write; it needs --allow-write');
}

/** The rows of a statement one by one, with integers as BigInt. */
export function iterateCells(statement: PreparedStatement, params: readonly unknown[]): Iterable<Cell[]> {
  return statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...params) as Iterable<Cell[]>;
}

/** All rows of a statement in one array: much faster than one by one, but in memory. */
export function allCells(statement: PreparedStatement, params: readonly unknown[]): Cell[][] {
  return statement
    .raw(true)
    .safeIntegers(true)
    .all(...params) as Cell[][];
}
