import { type Call, defineTool, toolResult } from '@mcp/protocol';
import { Refused } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { boundedFacts } from '../text/bounded-facts.ts';
import { descriptionSchema } from '../text/output-schemas.ts';
import { profileText } from '../text/profile-text.ts';
import { databaseView } from '../views.ts';
import { schemaText, tableText } from '../text/schema-text.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description:
    'Describes a table or view: columns, keys, indexes, triggers and SQL. Without table: the whole schema.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  // The published schema allows additional properties, so that clients let `table_name` pass, which is the
  // name of `table` in the archived official server; `strictObject` refuses all others.
  inputSchema: z
    .strictObject({
      table: z.string().optional(),
      profile: z
        .boolean()
        .optional()
        .describe('Instead, of each column: types, distinct, least, greatest and most frequent values'),
      cursor: z.string().optional(),
      database: databaseArgument,
    })
    .meta({ additionalProperties: true }),
  outputSchema: descriptionSchema,
  view: databaseView,
  interpret: understand('table', 'database'),

  async run({ table, profile = false, cursor, database }, call: Call<Sqlite>) {
    const found = call.context.databases.get(database);
    if (table === undefined) {
      if (profile) throw new Refused('profile needs the argument table', 'list_tables lists all tables');
      const schema = await found.describeAll(cursor, { call });
      return toolResult({ content: schemaText(schema), structuredContent: { schema: boundedFacts(schema) } });
    }
    if (cursor !== undefined) throw new Refused('cursor continues the whole schema: leave out table');
    if (profile) {
      const facts = await found.profile(table, { call });
      return toolResult({ content: profileText(facts), structuredContent: { profile: boundedFacts(facts) } });
    }
    const described = await found.describe(table, { call });
    return toolResult({
      content: tableText(described),
      structuredContent: { table: boundedFacts(described) },
    });
  },
});
