import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument } from '../input/database-argument.ts';
import { runWrite } from '../input/confirmed-write.ts';
import { writtenOutput, writtenText } from '../text/written-text.ts';

export const write = defineTool({
  name: 'write',
  title: 'Write',
  description:
    'Runs one INSERT, UPDATE, DELETE, REPLACE, CREATE, ALTER or DROP in a transaction of its own. dry_run says what would change.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    sql: z.string(),
    params: paramsArgument,
    dry_run: z.boolean().optional(),
    database: databaseArgument,
  }),
  outputSchema: writtenOutput,

  async run({ sql, params, dry_run = false, database }, sqlite: Sqlite, call) {
    const written = await runWrite(sqlite, call, { sql, params, dryRun: dry_run, database });
    if (!('changes' in written)) return written;
    return toolResult({ content: writtenText(written), structuredContent: written });
  },
});
