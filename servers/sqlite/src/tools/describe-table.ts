import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { SqliteCall } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { tableText } from '../text/schema-text.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description: 'Describes a table or view: columns, keys, indexes, triggers and the SQL that made it.',
  hints: { readOnly: true, openWorld: false },

  input: z.object({ table: z.string(), database: databaseArgument }),
  output: z.looseObject({ name: z.string(), kind: z.string() }),

  async run({ table, database }, call: SqliteCall) {
    const described = await call.databases.named(database).ask('describe', { table }, { call });
    return toolResult({
      content: tableText(described),
      structured: { ...described },
    });
  },
});
