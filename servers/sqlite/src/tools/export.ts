import { type Call, defineTool, toolResult } from '@mcp/protocol';
import { Refused } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { asParameters, databaseArgument, shortParamsArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { exportSchema } from '../text/output-schemas.ts';

export const exportQuery = defineTool({
  name: 'export',
  title: 'Export',
  description: 'Writes all rows of sql, or with db a backup of the database, to a new file.',
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },

  inputSchema: z.object({
    sql: z.string().optional(),
    params: shortParamsArgument,
    path: z.string().describe('In the export directory'),
    format: z.enum(['csv', 'jsonl', 'md', 'db']),
    database: databaseArgument,
  }),
  outputSchema: exportSchema,
  interpret: understand('sql', 'params', 'path', 'database'),

  async run({ sql, params, path, format, database: name }, call: Call<Sqlite>) {
    const { databases } = call.context;
    if (!databases.exports) throw new Refused('No export directory: start the server with --export');
    const { exports } = databases;
    if (format === 'db') {
      const database = databases.get(name);
      if (sql !== undefined)
        throw new Refused(
          'The format db takes no sql: it backs up the whole database',
          'Use csv, jsonl or md for a query',
        );
      const pages = ({ done, total }: { readonly done: number; readonly total: number }) =>
        call.progress(done, total, `${done} of ${total} pages`);
      const created = await exports.backup(database, path, pages, { call });
      const content = `Backed up to ${JSON.stringify(created.path)}, ${created.bytes} bytes`;
      return toolResult({ content, structuredContent: { path: created.path, bytes: created.bytes } });
    }
    if (sql === undefined)
      throw new Refused(
        'Missing argument "sql"',
        'Give a query, or use the format db for the whole database',
      );
    const created = await databases.reading(name, [sql], (database, files) =>
      exports.exportRows(
        database,
        { path, sql, params: asParameters(params), format, files },
        (count) => call.progress(count, undefined, `${count} rows`),
        { call },
      ),
    );
    const counted = `${created.rows} ${created.rows === 1 ? 'row' : 'rows'}`;
    const content = `Exported ${counted}, ${created.bytes} bytes, to ${JSON.stringify(created.path)}`;
    const { path: file, bytes, rows } = created;
    return toolResult({ content, structuredContent: { path: file, bytes, rows } });
  },
});
