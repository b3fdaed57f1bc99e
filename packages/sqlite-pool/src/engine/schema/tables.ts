import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import type { Connection } from '../connection.ts';
import { columnsIfReadable } from './columns.ts';
import type { TableKind } from './find-table.ts';
import { queryAll } from './query-all.ts';

export interface TableSummary {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  /** Row count, up to 10,000; missing where the rows cannot be counted. */
  readonly rows?: number;
  /** Whether there are more rows than `rows`. */
  readonly more?: boolean;
}

const maxCountedRows = 10_000;

/** All tables and views without internal ones, in the order of their names. */
export function tablesIn(connection: Connection): readonly TableSummary[] {
  return queryAll<TableSummary>(
    connection,
    "SELECT name, type AS kind, ncol AS columns FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
}

/** SQLite counts the columns of a view only when it is used. */
export function withColumns(connection: Connection, table: TableSummary): TableSummary {
  return table.kind === 'view'
    ? { ...table, columns: columnsIfReadable(connection, table.name).length }
    : table;
}

/** Empty where the rows cannot be read. */
export function countRows(connection: Connection, table: string): { rows?: number; more?: boolean } {
  try {
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${quoteIdentifier(table)} LIMIT ${maxCountedRows + 1})`;
    const rows = connection.database.prepare(sql).pluck().get() as number;
    return rows > maxCountedRows ? { rows: maxCountedRows, more: true } : { rows };
  } catch {
    // A broken view, or a virtual table whose module is missing.
    return {};
  }
}
