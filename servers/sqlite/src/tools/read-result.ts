import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import { filterOperators } from '@mcp/sqlite-pool';
import { visibleTo } from '@mcp/views';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import {
  asParameters,
  databaseArgument,
  shortParamsArgument,
  timeoutArgument,
} from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';

const maxRows = 2_000;
/** Longer values are cut, unless the view asks for whole ones. */
const maxCellBytes = 2_000;

const column = z.int().min(0);

/** By this tool, the view reads what it shows: a part of the rows of a query, sorted and filtered. */
export const readResult = defineTool({
  name: 'read_result',
  title: 'Read result',
  description: 'Returns rows of a query to the view. Columns are indexes, from 0.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    sql: z.string(),
    params: shortParamsArgument,
    compare: z.string().optional(),
    filters: z
      .array(z.object({ column, operator: z.enum(filterOperators), value: z.unknown() }))
      .max(50)
      .optional(),
    sort: z.object({ column, descending: z.boolean().optional() }).optional(),
    columns: z.array(column).max(2_000).optional(),
    every: z.int().min(1).optional().describe('Only each n-th row'),
    counts: z.boolean().optional().describe('Only the number of rows'),
    cursor: z.string().optional(),
    skip: z.int().min(0).optional().describe('Rows to skip, from the cursor on'),
    limit: z.int().min(1).max(maxRows).optional(),
    whole: z.boolean().optional().describe('Values in full'),
    timeout_ms: timeoutArgument,
    database: databaseArgument,
  }),
  view: visibleTo(['app']),
  interpret: understand('sql', 'params', 'compare', 'timeout_ms', 'database'),

  async run(
    { sql, params, compare, filters, sort, columns, every, counts, cursor, skip, limit = 200, ...others },
    call: Call<Sqlite>,
  ) {
    const { whole = false, timeout_ms: timeoutMs, database } = others;
    const request = {
      sql,
      params: asParameters(params),
      compare,
      refinement: { filters, sort, columns, every, counts },
      cursor,
      skip,
      limit,
      ...(!whole && { maxCellBytes }),
      tagsReals: true,
      format: 'json' as const,
    };
    const { text, json } = await call.context.databases.reading(
      database,
      [sql, compare ?? ''],
      (found, files) => found.query({ ...request, files }, { timeoutMs, call }),
    );
    return jsonResult({ content: text, json });
  },
});
