import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';

export const appendInsight = defineTool({
  name: 'append_insight',
  title: 'Append insight',
  description: 'Adds an insight to memo://insights, a file beside the database.',
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },

  inputSchema: z.object({ insight: z.string(), database: databaseArgument }),
  interpret: understand('insight', 'database'),

  run({ insight, database }, { context: { databases } }: Call<Sqlite>) {
    // Without the argument `database`, the insight is stored beside the first database.
    const { path } = database === undefined ? databases.all[0]! : databases.get(database);
    databases.insights.append(path, insight);
    return 'Insight added to memo://insights';
  },
});
