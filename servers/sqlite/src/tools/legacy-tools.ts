import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { runWrite } from '../input/confirmed-write.ts';
import { writeText } from '../text/write-text.ts';

// The tool names of the archived official server. They work, and are not listed.

const inputSchema = z.object({ query: z.string(), database: databaseArgument });

export const readQuery = defineTool({
  name: 'read_query',
  description: 'Earlier name of query.',
  listed: false,
  inputSchema,
  async run({ query, database }, { databases }: Sqlite, call) {
    const { maxRows, maxBytes } = databases;
    const args = {
      sql: query,
      limit: maxRows,
      maxBytes,
      format: 'jsonl' as const,
      continuedBy: 'the tool query and cursor',
    };
    return (await databases.get(database).query(args, { call })).text;
  },
});

const writing = (name: string) =>
  defineTool({
    name,
    description: 'Earlier name of write.',
    listed: false,
    inputSchema,
    async run({ query, database }, sqlite: Sqlite, call) {
      const outcome = await runWrite(sqlite, call, {
        statements: [{ sql: query }],
        dryRun: false,
        database,
      });
      return outcome.unconfirmed ?? writeText(outcome, false);
    },
  });

export const writeQuery = writing('write_query');
export const createTable = writing('create_table');
