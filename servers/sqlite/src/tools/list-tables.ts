import { type Call, defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { boundedFacts } from '../text/bounded-facts.ts';
import { tablesSchema } from '../text/output-schemas.ts';
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
  outputSchema: tablesSchema,
  interpret: understand('filter', 'database'),

  async run({ filter, cursor, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    const tables = await databases.get(database).tables({ filter, cursor }, { call });
    return toolResult({ content: tablesText(tables, filter), structuredContent: boundedFacts(tables) });
  },
});
