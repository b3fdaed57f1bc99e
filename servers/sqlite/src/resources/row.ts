import { defineResource } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import type { Sqlite } from '../context.ts';
import { completeDatabase, completeTable, readIn, watchIn } from '../input/database-uri.ts';

const reader = (table: string, key: string) => (database: Database) => database.run('row', { table, key });

/** One row of a table. */
export const row = defineResource({
  uri: 'sqlite://{database}/row/{table}/{key}',
  name: 'row',
  title: 'Row',
  description:
    'One row by its primary key, or by its rowid where the table has none; a composite key is a JSON array of its values.',
  mimeType: 'application/json',

  read: ({ database, table, key }, sqlite: Sqlite, { uri }) =>
    readIn(uri, database, sqlite, reader(table, key)),
  watch: ({ database, table, key }, changed, sqlite: Sqlite, { uri }) =>
    watchIn(uri, database, sqlite, reader(table, key), changed),
  complete: {
    database: (typed: string, sqlite: Sqlite) => completeDatabase(typed, sqlite),
    table: (typed: string, sqlite: Sqlite, call) => completeTable(typed, sqlite, call),
  },
});
