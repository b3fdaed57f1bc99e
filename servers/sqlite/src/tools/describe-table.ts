import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { acceptAlias } from '../input/accept-alias.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { tableText } from '../text/schema-text.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description: 'Describes a table or view: columns, keys, indexes, triggers and SQL.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  // `table_name` is the name of this argument in the archived official server. The published schema allows
  // additional properties, so that clients let `table_name` pass; the schema that checks the arguments
  // refuses all others.
  inputSchema: acceptAlias(
    z.strictObject({ table: z.string(), database: databaseArgument }).meta({ additionalProperties: true }),
    'table_name',
    'table',
  ),
  async run({ table, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    return tableText(await databases.get(database).describe(table, { call }));
  },
});
