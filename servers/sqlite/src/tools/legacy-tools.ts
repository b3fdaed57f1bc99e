import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { runWrite } from '../input/confirmed-write.ts';
import { maxAnswerLength } from '../text/bounded-lines.ts';
import { writeSchema } from '../text/output-schemas.ts';
import { writeResult } from '../text/write-text.ts';

// The tools of the archived official server, by their old names: they can be called, but are not listed.

const inputSchema = z.object({ query: z.string(), database: databaseArgument });

export const readQuery = defineTool({
  name: 'read_query',
  description: 'Earlier name of query.',
  listed: false,
  inputSchema,
  async run({ query, database }, call: Call<Sqlite>) {
    const request = {
      sql: query,
      format: 'jsonl',
      continuedBy: 'the tool query and cursor',
      maxLength: maxAnswerLength,
    } as const;
    const { text } = await call.context.databases.reading(database, [query], (found, files) =>
      found.query({ ...request, files }, { call }),
    );
    return text;
  },
});

const writing = (name: string) =>
  defineTool({
    name,
    description: 'Earlier name of write.',
    listed: false,
    inputSchema,
    outputSchema: writeSchema,
    async run({ query, database }, call: Call<Sqlite>) {
      const written = await runWrite(call, { statements: [{ sql: query }], database });
      const { databases } = call.context;
      return writeResult(written, { dryRun: false, databases });
    },
  });

export const writeQuery = writing('write_query');
export const createTable = writing('create_table');
