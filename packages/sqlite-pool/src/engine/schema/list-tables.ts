import { closestNames } from '@mcp/kit';
import type { Connection } from '../connection.ts';
import { tablePage } from './table-page.ts';
import { type Counting, countRows, type TableSummary, tablesIn, withColumns } from './tables.ts';

export interface TableList {
  readonly tables: readonly TableSummary[];
  /** The number of tables and views on all pages. */
  readonly total: number;
  /** Names that are similar to the filter, if no name contains the filter. */
  readonly near?: readonly string[];
  readonly nextCursor?: string;
}

export interface TableListRequest {
  readonly counting: Counting;
  /** A part of the name, in any letter case. */
  readonly filter?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The limits of a page. The size of a table is the length of its name. */
const limits = {
  maxTables: 200,
  maxSize: 16 * 1024,
  sizeOf: ({ name }: TableSummary) => name.length,
};

/** Returns a page of the tables and views, without SQLite's internal tables. */
export function listTables(
  connection: Connection,
  { counting, filter = '', cursor }: TableListRequest,
): TableList {
  connection.refresh();
  const lower = filter.toLowerCase();
  const tables = tablesIn(connection);
  const all = tables.filter(({ name }) => name.toLowerCase().includes(lower));
  const { page, nextCursor } = tablePage(all, cursor, limits);
  return {
    tables: page.map((table) => ({
      ...withColumns(connection, table),
      ...countRows(connection, table, counting),
    })),
    total: all.length,
    ...(all.length === 0 && {
      near: closestNames(
        filter,
        tables.map(({ name }) => name),
      ),
    }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
