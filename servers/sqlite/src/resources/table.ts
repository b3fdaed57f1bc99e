import { type Call, defineResource, type ListedResource, type Stop } from '@mcp/protocol';
import { isTransient } from '@mcp/sqlite-pool';
import type { Sqlite } from '../context.ts';
import { completeDatabase, completeTable, jsonOf, uriOf } from '../input/database-uri.ts';

const firstRows = 100;

/** A table or view: its description and its first rows. */
export const table = defineResource({
  uri: 'sqlite://{database}/table/{table}',
  name: 'table',
  title: 'Table',
  description: 'A table or view: columns, keys, indexes, row count, and the first 100 rows.',

  // A change of the description or of the first rows notifies subscribers.
  ...jsonOf((database, { table: name }: { database: string; table: string }) =>
    database.overview(name, firstRows),
  ),

  async *list({ context: { databases } }: Call<Sqlite>): AsyncGenerator<ListedResource> {
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

  /** Calls `changed` when the names of tables and views change. */
  async watchList(changed, { context: { databases } }: Call<Sqlite>) {
    const stops: Stop[] = [];
    for (const each of databases.all) {
      let armed = false;
      const names = async () => {
        try {
          return JSON.stringify(await each.run('tableNames', {}));
        } catch (error) {
          // At the start of the watch, an unreadable database counts as one without tables, so that the watch
          // begins. Later, a temporary error, such as a lock, does not change the list.
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
