import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attachJson, promptSchemaLimits } from '../input/attach-json.ts';
import { completeDatabase, uriOf } from '../input/database-uri.ts';

export const writeQuery = definePrompt({
  name: 'write-query',
  title: 'Write a query',
  description: 'Writes the SQL that answers a question; attaches the schema.',

  inputSchema: z.object({
    question: z.string().describe('Question to answer'),
    database: z.string().optional().describe('Database to query'),
  }),
  complete: { database: (typed, call: Call<Sqlite>) => completeDatabase(typed, call) },

  async run({ question, database }, { context: { databases } }: Call<Sqlite>) {
    const found = databases.get(database);
    return [
      userMessage(
        `Write one SQLite query for the database "${found.name}" that answers the question below, check it with ` +
          'explain, run it with query, and answer in words, with the SQL. Pass values in params. State your ' +
          'assumptions.',
      ),
      userMessage(question),
      attachJson(uriOf(found, 'schema'), await found.run('schema', promptSchemaLimits)),
    ];
  },
});
