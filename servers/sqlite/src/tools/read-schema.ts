import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import { visibleTo } from '@mcp/views';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';

/** By this tool, the view reads the diagram of the schema. */
export const readSchema = defineTool({
  name: 'read_schema',
  title: 'Read schema',
  description: 'Returns the tables with their columns and foreign keys to the view.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: z.object({ database: databaseArgument }),
  view: visibleTo(['app']),
  interpret: understand('database'),
  async run({ database }, call: Call<Sqlite>) {
    const found = call.context.databases.get(database);
    const facts = { database: found.name, ...(await found.relations({ call })) };
    return jsonResult({ content: 'The schema is in structuredContent', json: JSON.stringify(facts) });
  },
});
