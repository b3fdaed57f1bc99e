import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { PlanStep } from '../backend/engine/explain-query.ts';
import type { Sqlite } from '../context.ts';
import { databaseArgument, paramsArgument } from '../input/database-argument.ts';

export const explain = defineTool({
  name: 'explain',
  title: 'Explain a query',
  description: 'Shows the query plan of a statement: which indexes it uses, which tables it scans.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ sql: z.string(), params: paramsArgument, database: databaseArgument }),
  outputSchema: z.object({
    plan: z.array(z.object({ id: z.int(), parent: z.int(), detail: z.string() })),
  }),

  async run({ sql, params, database }, { databases }: Sqlite, call) {
    const plan = await databases.get(database).run('explain', { sql, params }, { call });
    return toolResult({ content: tree(plan), structuredContent: { plan: [...plan] } });
  },
});

function tree(plan: readonly PlanStep[], parent = 0, indent = ''): string {
  return plan
    .filter((step) => step.parent === parent)
    .map(({ id, detail }) => `${indent}${detail}\n${tree(plan, id, `${indent}  `)}`)
    .join('');
}
