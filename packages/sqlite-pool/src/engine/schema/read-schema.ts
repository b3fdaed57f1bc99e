import type { Connection } from '../connection.ts';
import { type TableSummary, tablesIn, withColumns } from './tables.ts';

export interface Schema {
  /** The first tables and views: at most 1,000, unless `maxTables` is given. */
  readonly tables: readonly TableSummary[];
  /** The number of all tables and views, if `tables` does not contain all of them. */
  readonly total?: number;
  /** SQLite's schema version, if `tables` or `sql` was cut. */
  readonly version?: number;
  /** The SQL statements that create the schema, tables first. */
  readonly sql: string;
}

const maxSchemaLength = 256 * 1024;
const maxSchemaTables = 1_000;

/** Returns at most `maxTables` tables and views, and at most `maxLength` characters of the schema's SQL. */
export function readSchema(
  connection: Connection,
  {
    maxTables = maxSchemaTables,
    maxLength = maxSchemaLength,
  }: { readonly maxTables?: number | undefined; readonly maxLength?: number | undefined },
): Schema {
  connection.refresh();
  const statements = connection
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'table' DESC, rowid",
    )
    .pluck()
    .all() as string[];
  const sql = statements.map((each) => `${each};`).join('\n\n');
  const tables = tablesIn(connection);
  const isCut = tables.length > maxTables || sql.length > maxLength;
  return {
    tables: tables.slice(0, maxTables).map((table) => withColumns(connection, table)),
    ...(tables.length > maxTables && { total: tables.length }),
    // The version changes with the part that was cut, too, so subscribers are notified of every change.
    ...(isCut && { version: connection.prepare('PRAGMA schema_version').pluck().get() as number }),
    sql:
      sql.length > maxLength
        ? `${sql.slice(0, maxLength).toWellFormed()}\n-- … ${sql.length} characters in total`
        : sql,
  };
}
