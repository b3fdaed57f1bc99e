import { type Call, defineTool, toolResult } from '@mcp/protocol';
import { Refused } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { boundedFacts } from '../text/bounded-facts.ts';
import { importText } from '../text/import-text.ts';
import { importSchema } from '../text/output-schemas.ts';

export const importFile = defineTool({
  name: 'import',
  title: 'Import',
  description:
    'Imports CSV, TSV or JSON into a new table, with types inferred from all rows. dry_run shows them first.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.strictObject({
    path: z.string().describe('In the import directory'),
    table: z.string(),
    append: z.boolean().optional().describe('To an existing table'),
    dry_run: z.boolean().optional(),
    create: z.boolean().optional(),
    database: databaseArgument,
  }),
  outputSchema: importSchema,
  interpret: understand('path', 'table', 'database'),

  async run(
    { path, table, append = false, dry_run: dryRun = false, create = false, database },
    call: Call<Sqlite>,
  ) {
    const { databases } = call.context;
    if (!databases.imports) throw new Refused('No import directory: start the server with --import');
    const imported = await databases.imports.import(
      databases.get(database),
      { path, table, append, dryRun, create },
      ({ rows, done, total }) => call.progress(done, total, `${rows} rows`),
      { call },
    );
    return toolResult({
      content: importText(imported, { path, table, append, dryRun }),
      structuredContent: boundedFacts({ ...imported, dryRun }),
    });
  },
});
