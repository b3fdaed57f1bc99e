import type { Connection } from '../connection.ts';
import { countAllRows, countRowsUpTo } from '../count-rows.ts';
import { columnsIfReadable } from './columns.ts';
import type { TableKind } from './find-table.ts';
import { queryAll } from './query-all.ts';

export interface TableSummary {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  /** The number of rows; missing if they cannot be counted. */
  readonly rows?: number;
  /** Whether the table has more rows than `rows`. */
  readonly more?: boolean;
}

/**
 * `exact` counts all rows, which may take long; `capped` counts at most 10,000 rows of each table or view;
 * `cheap` is like `capped`, but does not count the rows of views.
 */
export type Counting = 'exact' | 'capped' | 'cheap';

const maxCountedRows = 10_000;

/** Returns all tables and views except internal tables, in the order of their names. */
export function tablesIn(connection: Connection): readonly TableSummary[] {
  return queryAll<TableSummary>(
    connection,
    "SELECT name, type AS kind, ncol AS columns FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
}

/** Fills in the number of columns of a view, because SQLite determines them only when the view is used. */
export function withColumns(connection: Connection, table: TableSummary): TableSummary {
  return table.kind === 'view'
    ? { ...table, columns: columnsIfReadable(connection, table.name).length }
    : table;
}

/**
 * Counts the rows of a table. Returns an empty object if they cannot be read, or for a view with the counting
 * `cheap`.
 */
export function countRows(
  connection: Connection,
  { name, kind }: Pick<TableSummary, 'name' | 'kind'>,
  counting: Counting,
): { rows?: number; more?: boolean } {
  if (counting === 'cheap' && kind === 'view') return {};
  try {
    if (counting === 'exact') return { rows: countAllRows(connection.database, name) };
    const rows = countRowsUpTo(maxCountedRows + 1, connection.database, name);
    return rows > maxCountedRows ? { rows: maxCountedRows, more: true } : { rows };
  } catch {
    // The table is a broken view, or a virtual table whose module is missing.
    return {};
  }
}
