import type { Connection } from '../connection.ts';
import { columnsIfReadable } from './columns.ts';
import { queryAll } from './query-all.ts';

const maxNames = 5_000;

/** The names of a schema, for suggestions. */
export function schemaNames(connection: Connection) {
  return {
    tables: () =>
      queryAll<{ name: string }>(connection, "SELECT name FROM pragma_table_list WHERE schema = 'main'").map(
        ({ name }) => name,
      ),
    columns() {
      const names = new Set<string>();
      const tables = queryAll<{ name: string }>(
        connection,
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')",
      );
      for (const { name } of tables) {
        for (const column of columnsIfReadable(connection, name)) names.add(column.name);
        if (names.size > maxNames) break;
      }
      return [...names];
    },
    objects: (type: 'index' | 'trigger') =>
      queryAll<{ name: string }>(
        connection,
        'SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL',
        type,
      ).map(({ name }) => name),
    functions: () =>
      queryAll<{ name: string }>(connection, 'SELECT DISTINCT name FROM pragma_function_list').map(
        ({ name }) => name,
      ),
  };
}
