import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument } from '../input/database-argument.ts';
import { runWrite } from '../input/confirmed-write.ts';
import { writeOutput, writeText } from '../text/write-text.ts';

export const write = defineTool({
  name: 'write',
  title: 'Write',
  description:
    'Runs one INSERT, UPDATE, DELETE, REPLACE, CREATE, ALTER or DROP in a transaction of its own. dry_run reports what would change.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    sql: z.string(),
    params: paramsArgument,
    dry_run: z.boolean().optional(),
    database: databaseArgument,
  }),
  outputSchema: writeOutput,

  async run({ sql, params, dry_run = false, database }, sqlite: Sqlite, call) {
    const result = await runWrite(sqlite, call, { sql, params, dryRun: dry_run, database });
    if (!('changes' in result)) return result;
    return toolResult({ content: writeText(result), structuredContent: result });
  },
});
