import type { Connection } from '../connection.ts';

export function queryAll<Row>(
  connection: Connection,
  sql: string,
  ...params: readonly unknown[]
): readonly Row[] {
  return connection
    .prepare(sql)
    .safeIntegers(false)
    .raw(false)
    .all(...params) as Row[];
}

/** Returns the first column of all rows, such as names. */
export function queryNames(
  connection: Connection,
  sql: string,
  ...params: readonly unknown[]
): readonly string[] {
  return connection
    .prepare(sql)
    .pluck()
    .all(...params) as string[];
}
