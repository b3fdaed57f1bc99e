import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { tableText } from '../text/schema-text.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description: 'Describes a table or view: columns, keys, indexes, triggers and SQL.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ table: z.string(), database: databaseArgument }),
  outputSchema: z.looseObject({ name: z.string(), kind: z.string() }),

  async run({ table, database }, { databases }: Sqlite, call) {
    const described = await databases.get(database).run('describe', { table }, { call });
    return toolResult({
      content: tableText(described),
      structuredContent: { ...described },
    });
  },
});
