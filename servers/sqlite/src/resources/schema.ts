import { type Call, defineResource } from '@mcp/protocol';
import type { Sqlite } from '../context.ts';
import { completeDatabase, jsonOf, uriOf } from '../input/database-uri.ts';

export const schema = defineResource({
  uri: 'sqlite://{database}/schema',
  name: 'schema',
  title: 'Schema',
  description: 'All tables and views of a database, and the SQL that creates them.',

  ...jsonOf((database) => database.run('schema', {})),
  list: ({ context: { databases } }: Call<Sqlite>) =>
    databases.all.map((each) => ({
      uri: uriOf(each, 'schema'),
      name: `${each.name}: schema`,
      mimeType: 'application/json',
    })),
  complete: { database: completeDatabase },
});
