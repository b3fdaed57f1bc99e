import { type Call, defineTool, supportsExtension } from '@mcp/protocol';
import { viewsExtension } from '@mcp/views';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { runWrite } from '../input/confirmed-write.ts';
import {
  asParameters,
  databaseArgument,
  paramsArgument,
  shortParamsArgument,
  timeoutArgument,
} from '../input/database-argument.ts';
import { understandStatements } from '../input/understood-names.ts';
import { writeSchema } from '../text/output-schemas.ts';
import { databaseView } from '../views.ts';
import { writeResult } from '../text/write-text.ts';

export const write = defineTool({
  name: 'write',
  title: 'Write',
  description:
    'Runs INSERT, UPDATE, DELETE, REPLACE, CREATE, ALTER or DROP in one transaction. dry_run reports what would change. params may be an array of rows.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    sql: z.string(),
    params: paramsArgument,
    more: z
      .array(z.union([z.string(), z.strictObject({ sql: z.string(), params: shortParamsArgument })]))
      .optional()
      .describe('More statements of the transaction'),
    dry_run: z.boolean().optional(),
    timeout_ms: timeoutArgument,
    create: z.boolean().optional().describe('The database, if missing'),
    database: databaseArgument,
  }),
  outputSchema: writeSchema,
  view: databaseView,
  interpret: understandStatements('sql', 'params', 'timeout_ms', 'database'),

  async run(
    { sql, params, more = [], dry_run: dryRun = false, timeout_ms: timeoutMs, create, database },
    call: Call<Sqlite>,
  ) {
    const others = more.map((each) =>
      typeof each === 'string' ? { sql: each } : { sql: each.sql, params: asParameters(each.params) },
    );
    const statements = [{ sql, params }, ...others];
    const written = await runWrite(call, { statements, dryRun, timeoutMs, create, database });
    const shown = supportsExtension(call, viewsExtension);
    return writeResult(written, { dryRun, databases: call.context.databases, shown });
  },
});
