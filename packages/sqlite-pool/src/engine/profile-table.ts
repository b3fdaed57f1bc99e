import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { parseExactJson } from '../exact-json.ts';
import { type Cell, cellJson } from '../values/cell-json.ts';
import type { Connection } from './connection.ts';
import { columnsOf } from './schema/columns.ts';
import { findTable } from './schema/find-table.ts';

export interface ColumnProfile {
  readonly name: string;
  /** The number of values of each storage class, including `null`. */
  readonly types: { readonly [type: string]: number };
  readonly distinct: number;
  readonly least: unknown;
  readonly greatest: unknown;
}

const maxRows = 10_000;
const maxCellBytes = 400;

/** Facts about the columns of a table, from its first 10,000 rows. */
export function profileTable(
  connection: Connection,
  { table }: { readonly table: string },
): { readonly rows: number; readonly columns: readonly ColumnProfile[] } {
  connection.refresh();
  const { name } = findTable(connection, table);
  const columns = columnsOf(connection, name).filter(({ hidden }) => !hidden);
  const sample = `(SELECT * FROM ${quoteIdentifier(name)} LIMIT ${maxRows})`;
  const firstRow = (sql: string) => connection.prepare(sql).raw(true).safeIntegers(true).get() as Cell[];
  return {
    rows: Number(firstRow(`SELECT count(*) FROM ${sample}`)[0]),
    columns: columns.map(({ name: column }) => {
      const quoted = quoteIdentifier(column);
      const types = connection
        .prepare(`SELECT typeof(${quoted}), count(*) FROM ${sample} GROUP BY 1`)
        .raw(true)
        .safeIntegers(true)
        .all() as [string, bigint][];
      const [distinct, least, greatest] = firstRow(
        `SELECT count(DISTINCT ${quoted}), min(${quoted}), max(${quoted}) FROM ${sample}`,
      );
      return {
        name: column,
        types: Object.fromEntries(types.map(([type, count]) => [type, Number(count)])),
        distinct: Number(distinct),
        least: parseExactJson(cellJson(least!, maxCellBytes)),
        greatest: parseExactJson(cellJson(greatest!, maxCellBytes)),
      };
    }),
  };
}
