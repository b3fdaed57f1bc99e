import { type Cell, cellJson } from '../values/cell-json.ts';
import type { Handle } from './connection.ts';
import { identifier } from '../sql/quote-identifier.ts';
import { columnsOf, existing } from './schema.ts';

export interface ColumnProfile {
  readonly name: string;
  /** How many values there are of each storage class, `null` among them. */
  readonly types: { readonly [type: string]: number };
  readonly distinct: number;
  readonly least: unknown;
  readonly greatest: unknown;
}

const looked = 10_000;
const cellBytes = 400;

/** What is in the columns of a table, from its first 10,000 rows. */
export function profileTable(
  handle: Handle,
  { table }: { readonly table: string },
): { readonly rows: number; readonly columns: readonly ColumnProfile[] } {
  handle.refresh();
  const { name } = existing(handle, table);
  const columns = columnsOf(handle, name).filter(({ hidden }) => !hidden);
  const some = `(SELECT * FROM ${identifier(name)} LIMIT ${looked})`;
  const one = (sql: string) => handle.prepare(sql).raw(true).safeIntegers(true).get() as Cell[];
  return {
    rows: Number(one(`SELECT count(*) FROM ${some}`)[0]),
    columns: columns.map(({ name: column }) => {
      const c = identifier(column);
      const types = handle
        .prepare(`SELECT typeof(${c}), count(*) FROM ${some} GROUP BY 1`)
        .raw(true)
        .safeIntegers(true)
        .all() as [string, bigint][];
      const [distinct, least, greatest] = one(
        `SELECT count(DISTINCT ${c}), min(${c}), max(${c}) FROM ${some}`,
      );
      return {
        name: column,
        types: Object.fromEntries(types.map(([type, count]) => [type, Number(count)])),
        distinct: Number(distinct),
        least: JSON.parse(cellJson(least!, cellBytes)) as unknown,
        greatest: JSON.parse(cellJson(greatest!, cellBytes)) as unknown,
      };
    }),
  };
}
