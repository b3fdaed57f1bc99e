import { defineResource } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import type { Sqlite } from '../context.ts';
import { completeDatabase, readIn, uriOf, watchIn } from '../input/database-uri.ts';

const read = (database: Database) => database.run('schema', {});

/** All tables and views of a database. */
export const schema = defineResource({
  uri: 'sqlite://{database}/schema',
  name: 'schema',
  title: 'Schema',
  description: 'All tables and views of a database, and the SQL that creates them.',
  mimeType: 'application/json',

  read: ({ database }, sqlite: Sqlite, { uri }) => readIn(uri, database, sqlite, read),
  watch: ({ database }, changed, sqlite: Sqlite, { uri }) => watchIn(uri, database, sqlite, read, changed),
  list: ({ databases }: Sqlite) =>
    databases.all.map((each) => ({
      uri: uriOf(each, 'schema'),
      name: `${each.name}: schema`,
      mimeType: 'application/json',
    })),
  complete: { database: completeDatabase },
});
