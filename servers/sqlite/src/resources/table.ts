import { defineResource, type ListedResource, type Stop } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import { isPassing } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';
import { completeDatabase, completeTable, readIn, uriOf, watchIn } from '../input/database-uri.ts';

/** How a table looks, and its first rows: subscribers hear of changes in both. */
const reader = (table: string) => async (database: Database) => {
  const { description, page } = await database.ask('overview', { table, limit: 100 });
  const { rows: count, ...rest } = description;
  return { ...rest, count, rows: page.rows, nextCursor: page.nextCursor };
};

/** A table or view: its columns, keys and indexes, how many rows it has, and the first of them. */
export const table = defineResource({
  uri: 'sqlite://{database}/table/{table}',
  name: 'table',
  title: 'Table',
  description: 'A table or view: columns, keys, indexes, how many rows it has, and the first hundred.',
  mimeType: 'application/json',

  read: ({ database, table: name }, sqlite: Sqlite, { uri }) => readIn(uri, database, sqlite, reader(name)),
  watch: ({ database, table: name }, changed, sqlite: Sqlite, { uri }) =>
    watchIn(uri, database, sqlite, reader(name), changed),

  async *list({ databases }: Sqlite): AsyncGenerator<ListedResource> {
    for (const each of databases.all) {
      const names = await each.ask('tableNames', {}).catch(() => []);
      for (const name of names) {
        yield {
          uri: uriOf(each, 'table', name),
          name: `${each.name}: ${name}`,
          mimeType: 'application/json',
        };
      }
    }
  },

  /** Tables come and go with the schema. */
  async watchList(changed, { databases }: Sqlite) {
    const stops: Stop[] = [];
    for (const each of databases.all) {
      let armed = false;
      const names = async () => {
        try {
          return JSON.stringify(await each.ask('tableNames', {}));
        } catch (error) {
          // Whoever cannot be read at first may be later; what is only locked has the tables that it had.
          if (armed && isPassing(error)) throw error;
          return '[]';
        } finally {
          armed = true;
        }
      };
      stops.push(await databases.watcher.watch(each, names, changed));
    }
    return () => stops.forEach((stop) => void stop());
  },

  complete: { database: completeDatabase, table: completeTable },
});
