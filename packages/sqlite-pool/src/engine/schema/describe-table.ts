import { messageOf } from '@mcp/kit';
import type { Connection } from '../connection.ts';
import { type Column, columnsOf } from './columns.ts';
import { foreignKeysOf } from './foreign-keys.ts';
import { findTable } from './find-table.ts';
import { queryAll, queryNames } from './query-all.ts';
import { type Counting, countRows, type TableSummary } from './tables.ts';

export interface TableDescription extends TableSummary {
  readonly strict: boolean;
  readonly withoutRowid: boolean;
  readonly details: readonly Column[];
  readonly foreignKeys: readonly { readonly columns: readonly string[]; readonly references: string }[];
  readonly indexes: readonly {
    readonly name: string;
    readonly unique: boolean;
    readonly columns: readonly string[];
  }[];
  readonly triggers: readonly string[];
  readonly sql: string;
  /** Why the table cannot be read: it is a broken view, or a virtual table whose module is missing. */
  readonly error?: string;
}

export function describeTable(
  connection: Connection,
  { table, counting }: { readonly table: string; readonly counting: Counting },
): TableDescription {
  connection.refresh();
  const { name, kind, columns, wr, strict } = findTable(connection, table);
  const { details, error } = readColumns(connection, name);
  return {
    name,
    kind,
    columns: kind === 'view' ? details.length : columns,
    ...(error === undefined && countRows(connection, { name, kind }, counting)),
    strict: strict === 1,
    withoutRowid: wr === 1,
    details,
    foreignKeys: foreignKeysText(connection, name),
    indexes: indexesOf(connection, name),
    triggers: queryNames(
      connection,
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
      name,
    ),
    sql:
      queryNames(
        connection,
        "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE",
        name,
      )[0] ?? '',
    ...(error !== undefined && { error }),
  };
}

function readColumns(connection: Connection, table: string): { details: readonly Column[]; error?: string } {
  try {
    return { details: columnsOf(connection, table) };
  } catch (error) {
    return { details: [], error: messageOf(error) };
  }
}

function foreignKeysText(connection: Connection, table: string): TableDescription['foreignKeys'] {
  return foreignKeysOf(connection, table).map(({ columns, table: parent, to, onDelete }) => ({
    columns,
    references: `${parent}${to.length > 0 ? `(${to.join(', ')})` : ''}${onDelete === 'NO ACTION' ? '' : ` ON DELETE ${onDelete}`}`,
  }));
}

function indexesOf(connection: Connection, table: string): TableDescription['indexes'] {
  const indexes = queryAll<{ name: string; unique: number }>(
    connection,
    'SELECT name, "unique" FROM pragma_index_list(?)',
    table,
  );
  return indexes.map(({ name, unique }) => ({
    name,
    unique: unique === 1,
    columns: queryAll<{ name: string | null }>(connection, 'SELECT name FROM pragma_index_info(?)', name).map(
      (column) => column.name ?? '(expression)',
    ),
  }));
}
