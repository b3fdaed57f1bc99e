import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { Refused } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument } from '../input/database-argument.ts';

/** Longer than that of a query: an export has no limit of rows. */
const timeoutMs = 10 * 60_000;

export const exportQuery = defineTool({
  name: 'export',
  title: 'Export',
  description: 'Writes all rows of a query to a new file.',
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },

  inputSchema: z.object({
    sql: z.string(),
    params: paramsArgument,
    path: z.string().describe('Relative to the export directory'),
    format: z.enum(['csv', 'jsonl']),
    database: databaseArgument,
  }),
  outputSchema: z.object({ path: z.string(), rows: z.int(), bytes: z.int() }),

  async run({ sql, params, path, format, database: name }, { databases }: Sqlite, call) {
    if (!databases.exports) throw new Refused('No export directory: start the server with --export');
    const database = databases.get(name);
    let count = 0;
    // Without `progress`, which counts rows here.
    const cancellation = {
      get signal() {
        return call.signal;
      },
    };
    const { path: created, bytes } = await databases.exports.write(path, async (file) => {
      const sink = {
        write({ rows, text }: { readonly rows: number; readonly text: string }) {
          call.progress(rows, undefined, `${rows} rows`);
          return file.write(text);
        },
        restart: () => file.restart(),
      };
      count = await database.export({ sql, params, format }, sink, { timeoutMs, call: cancellation });
    });
    return { path: created, rows: count, bytes };
  },
});
