import { defineTool, jsonResult } from '@mcp/protocol';
import * as z from 'zod';
import { maxTimeoutMs } from '../backend/pool/job.ts';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument } from '../input/database-argument.ts';

const defaultLimit = 100;

export const query = defineTool({
  name: 'query',
  title: 'Query',
  description:
    'Runs one SELECT, WITH or VALUES statement. Values that JSON cannot hold are {"$int"}, {"$real"}, {"$blob"} or {"$text"}, in params too.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    sql: z.string(),
    params: paramsArgument,
    compare: z.string().optional().describe('Another query: returns the rows that differ'),
    limit: z.int().min(1).optional().describe('Rows; default 100'),
    cursor: z.string().optional().describe('nextCursor'),
    timeout_ms: z.int().min(1).max(maxTimeoutMs).optional(),
    format: z
      .enum(['table', 'csv', 'jsonl', 'json'])
      .optional()
      .describe('json: all exactly, as structured content'),
    database: databaseArgument,
  }),
  async run(
    { sql, params, compare, limit: wanted = defaultLimit, cursor, timeout_ms, format = 'table', database },
    { databases }: Sqlite,
    call,
  ) {
    const { maxRows, maxBytes } = databases;
    const limit = Math.min(wanted, maxRows);
    const { text, json } = await databases
      .get(database)
      .query(
        { sql, params, compare, limit, mayRaiseLimit: limit < maxRows, maxBytes, cursor, format },
        { timeoutMs: timeout_ms, call },
      );
    return format === 'json' ? jsonResult({ content: text, json }) : text;
  },
});
