import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { runWrite } from '../input/confirmed-write.ts';
import { writtenText } from '../text/written-text.ts';

// Names that an older server used; they answer who still calls them.

const input = z.object({ query: z.string() });

export const readQuery = defineTool({
  name: 'read_query',
  description: 'The older name of query.',
  listed: false,
  inputSchema: input,
  async run({ query }, { databases }: Sqlite, call) {
    const { maxRows, maxBytes } = databases;
    const asked = { sql: query, limit: maxRows, maxBytes, format: 'jsonl' as const };
    return (await databases.named(undefined).query(asked, { call })).text;
  },
});

const writing = (name: string) =>
  defineTool({
    name,
    description: 'An older name of write.',
    listed: false,
    inputSchema: input,
    async run({ query }, sqlite: Sqlite, call) {
      const written = await runWrite(sqlite, call, { sql: query, dryRun: false, database: undefined });
      return 'changes' in written ? toolResult({ content: writtenText(written) }) : written;
    },
  });

export const writeQuery = writing('write_query');
export const createTable = writing('create_table');
