import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attached } from '../input/attached.ts';
import { completeDatabase, uriOf } from '../input/database-uri.ts';

export const optimizeQuery = definePrompt({
  name: 'optimize-query',
  title: 'Optimize a query',
  description: 'Asks how a query could be faster, with its plan and the schema attached.',

  inputSchema: z.object({
    sql: z.string().describe('Query to optimize'),
    database: z.string().optional().describe('Database it is for'),
  }),
  complete: { database: (typed, sqlite: Sqlite) => completeDatabase(typed, sqlite) },

  async run({ sql, database }, { databases }: Sqlite) {
    const found = databases.named(database);
    const plan = await found.ask('explain', { sql });
    return [
      userMessage(
        'Make the query below faster without changing what it gives: say what its plan costs, which index or which ' +
          'other wording would help, and compare the plans with explain. Say what an index would cost.',
      ),
      userMessage(sql),
      attached(uriOf(found, 'schema'), { plan, schema: await found.ask('schema', {}) }),
    ];
  },
});
