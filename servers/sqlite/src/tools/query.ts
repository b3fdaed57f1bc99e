import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import type { QueryRequest } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument, timeoutArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { maxAnswerLength } from '../text/bounded-lines.ts';
import { rowsSchema } from '../text/output-schemas.ts';
import { slowNote } from '../text/slow-note.ts';
import { databaseView } from '../views.ts';

const defaultLimit = 100;

const request = {
  sql: z.string(),
  params: paramsArgument,
  compare: z.string().optional().describe('Another query: returns the rows that differ'),
  limit: z.int().min(1).optional().describe('Rows; default 100'),
  cursor: z.string().optional().describe('nextCursor'),
  timeout_ms: timeoutArgument,
};
const formatArgument = z
  .enum(['table', 'csv', 'jsonl', 'json'])
  .optional()
  .describe('json: all exactly, as structured content');

interface Arguments extends Pick<QueryRequest, 'sql' | 'params' | 'compare' | 'cursor' | 'format'> {
  readonly limit?: number | undefined;
  readonly timeout_ms?: number | undefined;
  readonly database?: string | undefined;
}

interface QuerySetting {
  /** Maximum number of bytes of the rows where the caller gives a limit. */
  readonly maxBytes: number;
  readonly structured: boolean;
}

/**
 * The tool that runs a query. With `structured`, answers are structured content, and the tool has no argument
 * `format`.
 */
export function queryTool({ maxBytes, structured }: QuerySetting) {
  const definition = {
    name: 'query',
    title: 'Query',
    description:
      'Runs one SELECT, WITH or VALUES statement. Values that JSON cannot hold are {"$int"}, {"$real"}, {"$blob"} or {"$text"}, in params too.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': maxBytes },
    view: databaseView,
  };
  const interpret = understand('sql', 'params', 'compare', 'limit', 'timeout_ms', 'database');
  if (structured) {
    return defineTool({
      ...definition,
      inputSchema: z.object({ ...request, database: databaseArgument }),
      outputSchema: rowsSchema,
      interpret(args) {
        const { format: _, ...others } = interpret(args);
        return others;
      },
      run: async (args: Arguments, call: Call<Sqlite>) =>
        jsonResult(await answer({ ...args, format: 'json' }, call)),
    });
  }
  return defineTool({
    ...definition,
    inputSchema: z.object({ ...request, format: formatArgument, database: databaseArgument }),
    interpret,
    async run(args: Arguments, call: Call<Sqlite>) {
      const answered = await answer(args, call);
      return args.format === 'json' ? jsonResult(answered) : answered.content;
    },
  });
}

async function answer({ limit, timeout_ms: timeoutMs, database, ...query }: Arguments, call: Call<Sqlite>) {
  const { databases } = call.context;
  const startedAt = performance.now();
  const bounds = limit === undefined ? { limit: defaultLimit, maxLength: maxAnswerLength } : { limit };
  const sqls = [query.sql, query.compare ?? ''];
  const { text, json } = await databases.reading(database, sqls, (found, files) =>
    found.query({ ...query, ...bounds, files }, { timeoutMs, call }),
  );
  const note = slowNote(performance.now() - startedAt, timeoutMs ?? databases.timeoutMs);
  return { content: text + note, json };
}
