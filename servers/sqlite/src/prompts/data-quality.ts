import { type Call, type CompletionCall, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attachJson } from '../input/attach-json.ts';
import { completeDatabase, completeTable, uriOf } from '../input/database-uri.ts';

export const dataQuality = definePrompt({
  name: 'data-quality',
  title: 'Check the quality of data',
  description: 'Checks the data of a table for errors; attaches facts about its columns.',

  inputSchema: z.object({
    table: z.string().describe('Table to check'),
    database: z.string().optional().describe('Database it is in'),
  }),
  complete: {
    table: (typed, call: CompletionCall<Sqlite>) => completeTable(typed, call),
    database: (typed, call: Call<Sqlite>) => completeDatabase(typed, call),
  },

  async run({ table, database }, { context: { databases } }: Call<Sqlite>) {
    const found = databases.get(database);
    const description = await found.describe(table);
    const profile = await found.profile(table);
    return [
      userMessage(
        `Check the data of the table ${JSON.stringify(description.name)}: missing values, values of the wrong type or ` +
          'format, duplicates, dangling references, impossible values. Confirm each finding with a query, and report ' +
          'the number of rows it concerns and how to repair it, the most serious first.',
      ),
      attachJson(uriOf(found, 'table', description.name), { ...description, profile }),
    ];
  },
});
