import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument, timeoutArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { maxAnswerLength } from '../text/bounded-lines.ts';
import { slowNote } from '../text/slow-note.ts';

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

  async run({ limit, timeout_ms: timeoutMs, database, ...request }, call: Call<Sqlite>) {
    const { databases } = call.context;
    const startedAt = performance.now();
    const bounds = limit === undefined ? { limit: defaultLimit, maxLength: maxAnswerLength } : { limit };
    const sqls = [request.sql, request.compare ?? ''];
    const { text, json } = await databases.reading(database, sqls, (found, files) =>
      found.query({ ...request, ...bounds, files }, { timeoutMs, call }),
    );
    const content = text + slowNote(performance.now() - startedAt, timeoutMs ?? databases.timeoutMs);
    return request.format === 'json' ? jsonResult({ content, json }) : content;
  },
});

/** The tool whose answers may have up to `maxBytes` where the caller gives a limit. */
export function queryUpTo(maxBytes: number): typeof query {
  const _meta = { 'anthropic/maxResultSizeChars': maxBytes };
  return { ...query, definition: { ...query.definition, _meta } };
}
