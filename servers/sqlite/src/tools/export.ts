import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { Refused } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument } from '../input/database-argument.ts';

/** Exports are long, and are asked for. */
const timeoutMs = 10 * 60_000;

export const exportQuery = defineTool({
  name: 'export',
  title: 'Export',
  description: 'Writes all rows of a query into a new file.',
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },

  inputSchema: z.object({
    sql: z.string(),
    params: paramsArgument,
    path: z.string().describe('Relative to the directory for exports'),
    format: z.enum(['csv', 'jsonl']),
    database: databaseArgument,
  }),
  outputSchema: z.object({ path: z.string(), rows: z.int(), bytes: z.int() }),

  async run({ sql, params, path, format, database }, { databases }: Sqlite, call) {
    const { progress } = call;
    if (!databases.exports) throw new Refused('There is no directory for exports');
    const found = databases.named(database);
    let rows = 0;
    const { path: written, bytes } = await databases.exports.write(path, async (file) => {
      const take = (soFar: number, text: string) => {
        progress(soFar, undefined, `${soFar} rows`);
        return file.put(text);
      };
      const sink = { take, restart: () => file.empty() };
      rows = await found.export({ sql, params, format }, sink, { timeoutMs, call });
    });
    return { path: written, rows, bytes };
  },
});
