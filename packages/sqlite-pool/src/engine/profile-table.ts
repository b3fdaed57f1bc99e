import { parseExactJson } from '@mcp/kit';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { type Cell, cellJson } from '../values/cell-json.ts';
import type { Connection } from './connection.ts';
import { columnsOf } from './schema/columns.ts';
import { findTable } from './schema/find-table.ts';

/** Facts about the values of a column. Each value is encoded as in query results, and cut at 200 bytes. */
export interface ColumnProfile {
  readonly name: string;
  /** The number of values of each storage class, including `null`. */
  readonly types: { readonly [type: string]: number };
  readonly distinct: number;
  readonly least: unknown;
  readonly greatest: unknown;
  /** The most frequent values except NULL, at most five; none if no value occurs twice. */
  readonly facets: readonly { readonly value: unknown; readonly count: number }[];
}

export interface TableProfile {
  readonly table: string;
  /** The number of rows that the facts are about. */
  readonly rows: number;
  /** Whether the table has more rows than `rows`. */
  readonly more?: boolean;
  readonly columns: readonly ColumnProfile[];
  /** The number of all columns, if `columns` has only the first 200. */
  readonly total?: number;
}

const maxColumns = 200;
const maxCellBytes = 200;
const maxFacets = 5;

/** Returns facts about the values of each column of a table, in all rows or in the first `maxRows` rows. */
export function profileTable(
  connection: Connection,
  { table, maxRows }: { readonly table: string; readonly maxRows?: number | undefined },
): TableProfile {
  connection.refresh();
  const { name } = findTable(connection, table);
  const columns = columnsOf(connection, name).filter(({ hidden }) => !hidden);
  const quotedTable = quoteIdentifier(name);
  const all = (sql: string) => connection.prepare(sql).raw(true).safeIntegers(true).all() as Cell[][];
  const isPart =
    maxRows !== undefined && all(`SELECT 1 FROM ${quotedTable} LIMIT 1 OFFSET ${maxRows}`).length > 0;
  const rows = isPart ? `(SELECT * FROM ${quotedTable} LIMIT ${maxRows})` : quotedTable;
  const shown = (cell: Cell) => parseExactJson(cellJson(cell, maxCellBytes));
  return {
    table: name,
    rows: Number(all(`SELECT count(*) FROM ${rows}`)[0]![0]),
    ...(isPart && { more: true }),
    columns: columns.slice(0, maxColumns).map(({ name: column }) => {
      const quoted = quoteIdentifier(column);
      const types = all(`SELECT typeof(${quoted}), count(*) FROM ${rows} GROUP BY 1 ORDER BY 2 DESC, 1`);
      const [facts] = all(`SELECT count(DISTINCT ${quoted}), min(${quoted}), max(${quoted}) FROM ${rows}`);
      const [distinct, least, greatest] = facts!;
      const facets = all(
        `SELECT ${quoted}, count(*) FROM ${rows} WHERE ${quoted} IS NOT NULL GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT ${maxFacets}`,
      );
      return {
        name: column,
        types: Object.fromEntries(types.map(([type, count]) => [type, Number(count)])),
        distinct: Number(distinct),
        least: shown(least!),
        greatest: shown(greatest!),
        facets: facets.map(([value, count]) => ({ value: shown(value!), count: Number(count) })),
      };
    }),
    ...(columns.length > maxColumns && { total: columns.length }),
  };
}
