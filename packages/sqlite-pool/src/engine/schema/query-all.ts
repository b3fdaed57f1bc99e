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
