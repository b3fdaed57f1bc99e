import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attachJson, promptSchemaLimits } from '../input/attach-json.ts';
import { completeDatabase, uriOf } from '../input/database-uri.ts';

export const optimizeQuery = definePrompt({
  name: 'optimize-query',
  title: 'Optimize a query',
  description: 'Makes a query faster; attaches its plan and the schema.',

  inputSchema: z.object({
    sql: z.string().describe('Query to optimize'),
    database: z.string().optional().describe('Database to query'),
  }),
  complete: { database: (typed, call: Call<Sqlite>) => completeDatabase(typed, call) },

  async run({ sql, database }, { context: { databases } }: Call<Sqlite>) {
    const found = databases.get(database);
    const { plan, advice } = await found.run('explain', { sql });
    return [
      userMessage(
        'Make the query below faster without changing its result: explain the cost of its plan, which index or ' +
          'other wording would help, and compare the plans with explain. State the cost of an index.',
      ),
      userMessage(sql),
      attachJson(uriOf(found, 'schema'), {
        plan,
        indexes: advice?.indexes,
        schema: await found.run('schema', promptSchemaLimits),
      }),
    ];
  },
});
