import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { tablesText } from '../text/schema-text.ts';

export const listTables = defineTool({
  name: 'list_tables',
  title: 'List tables',
  description: 'Lists tables and views with their numbers of columns and rows.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ database: databaseArgument }),
  outputSchema: z.object({ tables: z.array(z.looseObject({ name: z.string(), kind: z.string() })) }),

  async run({ database }, { databases }: Sqlite, call) {
    const tables = await databases.get(database).tables({ call });
    return toolResult({
      content: tablesText(tables),
      structuredContent: { tables: tables.map((table) => ({ ...table })) },
    });
  },
});
