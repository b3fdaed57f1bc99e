import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { tableText } from '../text/schema-text.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description: 'Describes a table or view: columns, keys, indexes, triggers and SQL.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  // The published schema allows additional properties, so that clients let `table_name` pass, which is the
  // name of `table` in the archived official server; `strictObject` refuses all others.
  inputSchema: z
    .strictObject({ table: z.string(), database: databaseArgument })
    .meta({ additionalProperties: true }),
  interpret: understand('table', 'database'),

  async run({ table, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    return tableText(await databases.get(database).describe(table, { call }));
  },
});
