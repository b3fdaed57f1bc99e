import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument, timeoutArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';

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
    timeout_ms: timeoutArgument,
    format: z
      .enum(['table', 'csv', 'jsonl', 'json'])
      .optional()
      .describe('json: all exactly, as structured content'),
    database: databaseArgument,
  }),
  interpret: understand('sql', 'params', 'compare', 'limit', 'timeout_ms', 'database'),

  async run({ limit = defaultLimit, timeout_ms: timeoutMs, database, ...request }, call: Call<Sqlite>) {
    const found = call.context.databases.get(database);
    const { text, json } = await found.query({ ...request, limit }, { timeoutMs, call });
    return request.format === 'json' ? jsonResult({ content: text, json }) : text;
  },
});
