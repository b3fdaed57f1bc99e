import type { Connection } from '../connection.ts';
import { type TableSummary, tablesIn, withColumns } from './tables.ts';

export interface Schema {
  /** The first 1,000 tables and views. */
  readonly tables: readonly TableSummary[];
  /** How many there are, where there are more. */
  readonly total?: number;
  /** SQLite's schema version, where a part of the schema is missing here. */
  readonly version?: number;
  /** The statements that create it, tables first. */
  readonly sql: string;
}

const maxSchemaLength = 256 * 1024;
const maxSchemaTables = 1_000;

/** All tables and views with their SQL; both are cut at the limits. */
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
    // Makes a change of a missing part visible to subscribers.
    ...(isCut && { version: connection.prepare('PRAGMA schema_version').pluck().get() as number }),
    sql:
      sql.length > maxLength
        ? `${sql.slice(0, maxLength).toWellFormed()}\n-- … ${sql.length} characters in total`
        : sql,
  };
}
