import type { Connection } from '../connection.ts';
import { columnsOf } from './columns.ts';
import { findTable } from './find-table.ts';
import { schemaNames } from './schema-names.ts';
import { tablesIn } from './tables.ts';

export function tableNames(connection: Connection): readonly string[] {
  connection.refresh();
  return tablesIn(connection).map(({ name }) => name);
}

/** Returns the names of the columns of a table or, without `table`, of all tables. */
export function columnNames(
  connection: Connection,
  { table }: { readonly table?: string | undefined },
): readonly string[] {
  connection.refresh();
  if (table !== undefined)
    return columnsOf(connection, findTable(connection, table).name).map(({ name }) => name);
  return schemaNames(connection).columns();
}
