import { defineResource, type ListedResource, type Stop } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import { isTransient } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';
import { completeDatabase, completeTable, readIn, uriOf, watchIn } from '../input/database-uri.ts';

const firstRows = 100;

/** Description and first rows: a change of either notifies subscribers. */
const reader = (table: string) => (database: Database) => database.overview(table, firstRows);

/** A table or view with its first rows. */
export const table = defineResource({
  uri: 'sqlite://{database}/table/{table}',
  name: 'table',
  title: 'Table',
  description: 'A table or view: columns, keys, indexes, row count, and the first 100 rows.',
  mimeType: 'application/json',

  read: ({ database, table: name }, sqlite: Sqlite, { uri }) => readIn(uri, database, sqlite, reader(name)),
  watch: ({ database, table: name }, changed, sqlite: Sqlite, { uri }) =>
    watchIn(uri, database, sqlite, reader(name), changed),

  async *list({ databases }: Sqlite): AsyncGenerator<ListedResource> {
    for (const each of databases.all) {
      const names = await each.run('tableNames', {}).catch(() => []);
      for (const name of names) {
        yield {
          uri: uriOf(each, 'table', name),
          name: `${each.name}: ${name}`,
          mimeType: 'application/json',
        };
      }
    }
  },

  /** The list follows the schema. */
  async watchList(changed, { databases }: Sqlite) {
    const stops: Stop[] = [];
    for (const each of databases.all) {
      let armed = false;
      const names = async () => {
        try {
          return JSON.stringify(await each.run('tableNames', {}));
        } catch (error) {
          // A database that cannot be read at first may be later; a locked one keeps its tables.
          if (armed && isTransient(error)) throw error;
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
