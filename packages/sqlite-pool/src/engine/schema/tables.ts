import type { Connection } from '../connection.ts';
import { countRowsUpTo } from '../count-rows.ts';
import { columnsIfReadable } from './columns.ts';
import type { TableKind } from './find-table.ts';
import { queryAll } from './query-all.ts';

export interface TableSummary {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  /** The row count, at most 10,000; missing if the rows cannot be counted. */
  readonly rows?: number;
  /** Whether there are more rows than `rows`. */
  readonly more?: boolean;
}

const maxCountedRows = 10_000;

/** All tables and views except internal ones, in the order of their names. */
export function tablesIn(connection: Connection): readonly TableSummary[] {
  return queryAll<TableSummary>(
    connection,
    "SELECT name, type AS kind, ncol AS columns FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
}

/** Sets the number of columns of a view, which SQLite determines only when the view is used. */
export function withColumns(connection: Connection, table: TableSummary): TableSummary {
  return table.kind === 'view'
    ? { ...table, columns: columnsIfReadable(connection, table.name).length }
    : table;
}

/** Counts the rows of a table; returns an empty object if they cannot be read. */
export function countRows(connection: Connection, table: string): { rows?: number; more?: boolean } {
  try {
    const rows = countRowsUpTo(maxCountedRows + 1, connection.database, table);
    return rows > maxCountedRows ? { rows: maxCountedRows, more: true } : { rows };
  } catch {
    // A broken view, or a virtual table whose module is missing.
    return {};
  }
}
