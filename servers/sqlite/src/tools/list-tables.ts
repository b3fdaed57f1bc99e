import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { SqliteCall } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { tablesText } from '../text/schema-text.ts';

export const listTables = defineTool({
  name: 'list_tables',
  title: 'List tables',
  description: 'Lists tables and views, with how many columns and rows they have.',
  hints: { readOnly: true, openWorld: false },

  input: z.object({ database: databaseArgument }),
  output: z.object({ tables: z.array(z.looseObject({ name: z.string(), kind: z.string() })) }),

  async run({ database }, call: SqliteCall) {
    const tables = await call.databases.named(database).tables({ call });
    return toolResult({
      content: tablesText(tables),
      structured: { tables: tables.map((table) => ({ ...table })) },
    });
  },
});
