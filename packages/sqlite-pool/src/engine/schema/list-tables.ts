import { closestNames } from '@mcp/kit';
import { decodeCursor, encodeCursor, invalidCursor } from '../../values/page-cursor.ts';
import type { Connection } from '../connection.ts';
import { countRows, type TableSummary, tablesIn, withColumns } from './tables.ts';

export interface TableList {
  readonly tables: readonly TableSummary[];
  /** The number of tables and views on all pages. */
  readonly total: number;
  /** Names similar to the filter, if no name contains it. */
  readonly near?: readonly string[];
  readonly nextCursor?: string;
}

export interface TableListRequest {
  readonly countViews: boolean;
  /** A part of the name, in any letter case. */
  readonly filter?: string | undefined;
  readonly cursor?: string | undefined;
}

const tablesPerPage = 200;

/** A page of the tables and views, without internal ones. Counting the rows of a view may take very long. */
export function listTables(
  connection: Connection,
  { countViews, filter = '', cursor }: TableListRequest,
): TableList {
  connection.refresh();
  const lower = filter.toLowerCase();
  const tables = tablesIn(connection);
  const all = tables.filter(({ name }) => name.toLowerCase().includes(lower));
  const after = cursor === undefined ? undefined : lastNameIn(cursor);
  const rest = after === undefined ? all : all.filter(({ name }) => isAfter(name, after));
  const page = rest.slice(0, tablesPerPage);
  return {
    tables: page.map((table) => ({
      ...withColumns(connection, table),
      ...((countViews || table.kind !== 'view') && countRows(connection, table.name)),
    })),
    total: all.length,
    ...(all.length === 0 && {
      near: closestNames(
        filter,
        tables.map(({ name }) => name),
      ),
    }),
    ...(rest.length > page.length && { nextCursor: encodeCursor(['tables', page.at(-1)!.name]) }),
  };
}

function lastNameIn(cursor: string): string {
  const [kind, name] = decodeCursor(cursor);
  if (kind !== 'tables' || typeof name !== 'string') throw invalidCursor(cursor);
  return name;
}

/** Whether a name comes after another one in the order of SQLite's BINARY collation. */
function isAfter(name: string, other: string): boolean {
  return Buffer.compare(Buffer.from(name), Buffer.from(other)) > 0;
}
