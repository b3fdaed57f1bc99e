import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Database } from '../backend/database.ts';
import { Refused } from '../backend/errors.ts';
import type { ExportDirectory } from '../backend/export-directory.ts';
import type { SqlParameters } from '../backend/sql/bind-parameters.ts';
import type { Sqlite } from '../context.ts';
import { asParameters, databaseArgument, shortParamsArgument } from '../input/database-argument.ts';

/** Longer than that of a query: an export has no limit of rows. */
const timeoutMs = 10 * 60_000;

interface Target {
  readonly directory: ExportDirectory;
  readonly path: string;
}

export const exportQuery = defineTool({
  name: 'export',
  title: 'Export',
  description: 'Writes all rows of sql, or with db a backup of the database, to a new file.',
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },

  inputSchema: z.object({
    sql: z.string().optional(),
    params: shortParamsArgument,
    path: z.string().describe('In the export directory'),
    format: z.enum(['csv', 'jsonl', 'db']),
    database: databaseArgument,
  }),

  async run({ sql, params, path, format, database: name }, { databases }: Sqlite, call) {
    if (!databases.exports) throw new Refused('No export directory: start the server with --export');
    const database = databases.get(name);
    const target = { directory: databases.exports, path };
    if (format === 'db') {
      if (sql !== undefined)
        throw new Refused('A backup has no sql', 'Use the format csv or jsonl for a query');
      return backup(database, target, call);
    }
    if (sql === undefined)
      throw new Refused('Missing argument "sql"', 'The format db exports the whole database');
    return exportRows(database, { sql, params: asParameters(params), format }, target, call);
  },
});

async function exportRows(
  database: Database,
  query: {
    readonly sql: string;
    readonly params: SqlParameters | undefined;
    readonly format: 'csv' | 'jsonl';
  },
  { directory, path }: Target,
  call: Call,
) {
  let count = 0;
  const { path: created, bytes } = await directory.write(path, async (file) => {
    const sink = {
      write({ rows, text }: { readonly rows: number; readonly text: string }) {
        call.progress(rows, undefined, `${rows} rows`);
        return file.write(text);
      },
      restart: () => file.restart(),
    };
    count = await database.export(query, sink, { timeoutMs, call: withoutProgress(call) });
  });
  return `Exported ${count} ${count === 1 ? 'row' : 'rows'}, ${bytes} bytes, to ${JSON.stringify(created)}`;
}

async function backup(database: Database, { directory, path }: Target, call: Call) {
  const { path: created, bytes } = await directory.writeByPath(path, (temporary) =>
    database.backup(temporary, ({ done, total }) => call.progress(done, total, `${done} of ${total} pages`), {
      timeoutMs,
      call: withoutProgress(call),
    }),
  );
  return `Backed up to ${JSON.stringify(created)}, ${bytes} bytes`;
}

/** Progress counts rows or pages here, and not seconds. */
function withoutProgress(call: Call) {
  return {
    get signal() {
      return call.signal;
    },
  };
}
