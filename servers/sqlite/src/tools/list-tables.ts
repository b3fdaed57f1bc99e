import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { tablesText } from '../text/schema-text.ts';

export const listTables = defineTool({
  name: 'list_tables',
  title: 'List tables',
  description: 'Lists tables and views with column and row counts.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    filter: z.string().optional().describe('Part of the name'),
    cursor: z.string().optional(),
    database: databaseArgument,
  }),
  interpret: understand('filter', 'database'),

  async run({ filter, cursor, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    return tablesText(await databases.get(database).tables({ filter, cursor }, { call }), filter);
  },
});
