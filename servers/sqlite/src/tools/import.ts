import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { Refused } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { importText } from '../text/import-text.ts';

/** Longer than that of a statement: a file may be long. */
const timeoutMs = 10 * 60_000;

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

  async run(
    { path, table, append = false, dry_run: dryRun = false, create = false, database: name },
    { databases }: Sqlite,
    call,
  ) {
    if (!databases.imports) throw new Refused('No import directory: start the server with --import');
    const database = databases.get(name);
    const source = await databases.imports.resolve(path);
    const imported = await database.import(
      { ...source, table, append, dryRun, create },
      ({ rows, done, total }) => call.progress(done, total, `${rows} rows`),
      {
        timeoutMs,
        // Without `progress`, which counts bytes here.
        call: {
          get signal() {
            return call.signal;
          },
        },
      },
    );
    return importText(imported, { path, table, append, dryRun });
  },
});
