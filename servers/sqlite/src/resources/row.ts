import { defineResource } from '@mcp/protocol';
import { completeDatabase, completeTable, jsonOf } from '../input/database-uri.ts';

export const row = defineResource({
  uri: 'sqlite://{database}/row/{table}/{key}',
  name: 'row',
  title: 'Row',
  description:
    'One row by its primary key, or by its rowid where the table has none; a composite key is a JSON array of its values.',

  ...jsonOf((database, { table, key }: { database: string; table: string; key: string }) =>
    database.run('row', { table, key }),
  ),
  complete: { database: completeDatabase, table: completeTable },
});
