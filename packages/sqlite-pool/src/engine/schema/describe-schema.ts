import type { Connection } from '../connection.ts';
import { queryAll } from './query-all.ts';
import { tablePage } from './table-page.ts';
import { type Counting, countRows, type TableSummary, tablesIn, withColumns } from './tables.ts';

export interface SchemaDescription {
  readonly tables: readonly TableSchema[];
  /** The number of tables and views on all pages. */
  readonly total: number;
  readonly nextCursor?: string;
}

export interface TableSchema extends TableSummary {
  /** The statements that create the table, its indexes and its triggers. */
  readonly sql: readonly string[];
}

const maxTables = 200;
/** Maximum number of characters of a page's statements, except those of its first table. */
const maxSize = 24 * 1024;

export function describeSchema(
  connection: Connection,
  { counting, cursor }: { readonly counting: Counting; readonly cursor?: string | undefined },
): SchemaDescription {
  connection.refresh();
  const all = tablesIn(connection);
  const statements = Map.groupBy(
    queryAll<{ name: string; sql: string }>(
      connection,
      "SELECT tbl_name AS name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type IN ('table', 'view') DESC, rowid",
    ),
    ({ name }) => name.toLowerCase(),
  );
  const sqlOf = ({ name }: TableSummary) => (statements.get(name.toLowerCase()) ?? []).map(({ sql }) => sql);
  const { page, nextCursor } = tablePage(all, cursor, {
    maxTables,
    maxSize,
    sizeOf: (table) => sqlOf(table).reduce((sum, sql) => sum + sql.length, table.name.length),
  });
  return {
    tables: page.map((table) => ({
      ...withColumns(connection, table),
      ...countRows(connection, table, counting),
      sql: sqlOf(table),
    })),
    total: all.length,
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
