import { DatabaseSync } from 'node:sqlite';
import { defineServer, defineTool } from '@mcp/protocol';
import * as z from 'zod';

// The sample of `npx -y @mcp/server-sqlite`, in memory. That server runs SQL in processes of their own, which
// a page does not have; this one is a few lines, and runs in Node, too.
const database = new DatabaseSync('sample.db');

const describeTables = defineTool({
  name: 'describe_tables',
  description: 'Returns the SQL that has made the tables and views.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: () => JSON.stringify(database.prepare('SELECT name, sql FROM sqlite_schema').all(), undefined, 2),
});

const query = defineTool({
  name: 'query',
  description: 'Runs one SQL statement, and returns its rows as JSON.',
  annotations: { openWorldHint: false },
  inputSchema: z.object({
    sql: z.string().default('SELECT title, sold, revenue FROM sales ORDER BY revenue DESC LIMIT 5'),
  }),
  run: ({ sql }) => JSON.stringify(database.prepare(sql).all(), undefined, 2),
});

export const server = defineServer({
  name: 'bookshop',
  version: '1.0.0',
  tools: [describeTables, query],
});
