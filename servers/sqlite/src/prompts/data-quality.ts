import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attached } from '../input/attached.ts';
import { completeDatabase, completeTable, uriOf } from '../input/database-uri.ts';

export const dataQuality = definePrompt({
  name: 'data-quality',
  title: 'Check the quality of data',
  description: 'Asks what is wrong with the data of a table, with facts about its columns attached.',

  inputSchema: z.object({
    table: z.string().describe('Table to check'),
    database: z.string().optional().describe('Database it is in'),
  }),
  complete: {
    table: (typed, sqlite: Sqlite, call) => completeTable(typed, sqlite, call),
    database: (typed, sqlite: Sqlite) => completeDatabase(typed, sqlite),
  },

  async run({ table, database }, { databases }: Sqlite) {
    const found = databases.named(database);
    const description = await found.ask('describe', { table });
    const profile = await found.ask('profile', { table });
    return [
      userMessage(
        `Check the data of the table ${JSON.stringify(description.name)}: missing values, values of the wrong type or ` +
          'format, duplicates, references that lead nowhere, values that cannot be. Confirm each suspicion with a ' +
          'query, and say how many rows it concerns, the gravest first, and how to repair it.',
      ),
      attached(uriOf(found, 'table', description.name), { ...description, profile }),
    ];
  },
});
