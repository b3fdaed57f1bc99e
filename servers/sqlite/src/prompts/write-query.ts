import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attached } from '../input/attached.ts';
import { completeDatabase, uriOf } from '../input/database-uri.ts';

export const writeQuery = definePrompt({
  name: 'write-query',
  title: 'Write a query',
  description: 'Asks for the SQL that answers a question, with the schema attached.',

  inputSchema: z.object({
    question: z.string().describe('What is to be known'),
    database: z.string().optional().describe('Database to ask'),
  }),
  complete: { database: (typed, sqlite: Sqlite) => completeDatabase(typed, sqlite) },

  async run({ question, database }, { databases }: Sqlite) {
    const found = databases.named(database);
    return [
      userMessage(
        `Write one SQLite query for the database "${found.name}" that answers the question below, check it with ` +
          'explain, run it with query, and answer in words, with the SQL. Values belong into params. Say what you had ' +
          'to assume.',
      ),
      userMessage(question),
      attached(uriOf(found, 'schema'), await found.ask('schema', {})),
    ];
  },
});
