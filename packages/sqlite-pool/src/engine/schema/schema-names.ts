import type { Connection } from '../connection.ts';
import { columnsIfReadable } from './columns.ts';
import { queryNames } from './query-all.ts';

const maxNames = 5_000;

export function schemaNames(connection: Connection) {
  return {
    tables: () =>
      queryNames(connection, "SELECT DISTINCT name FROM pragma_table_list WHERE schema <> 'temp'"),
    columns() {
      const names = new Set<string>();
      const tables = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')";
      for (const table of queryNames(connection, tables)) {
        for (const { name } of columnsIfReadable(connection, table)) names.add(name);
        if (names.size > maxNames) break;
      }
      return [...names];
    },
    objects: (type: 'index' | 'trigger') =>
      queryNames(connection, 'SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL', type),
    functions: () => queryNames(connection, 'SELECT DISTINCT name FROM pragma_function_list'),
  };
}
