import { defineTool } from '@mcp/protocol';
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

  // `table_name` is the argument of the archived official server. Published as open, so that it arrives here;
  // the schema itself refuses any other.
  inputSchema: acceptAlias(
    z.strictObject({ table: z.string(), database: databaseArgument }).meta({ additionalProperties: true }),
    'table_name',
    'table',
  ),
  async run({ table, database }, { databases }: Sqlite, call) {
    return tableText(await databases.get(database).describe(table, { call }));
  },
});
