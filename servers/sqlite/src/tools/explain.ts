import { type Call, defineTool } from '@mcp/protocol';
import type { Explanation, PlanStep } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { asParameters, databaseArgument, shortParamsArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';

export const explain = defineTool({
  name: 'explain',
  title: 'Explain a query',
  description: 'Shows the query plan of a statement, and the indexes that would help.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ sql: z.string(), params: shortParamsArgument, database: databaseArgument }),
  interpret: understand('sql', 'params', 'database'),

  async run({ sql, params, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    const args = { sql, params: asParameters(params) };
    return explanationText(await databases.get(database).run('explain', args, { call }));
  },
});

function explanationText({ plan, advice }: Explanation): string {
  if (!advice) return tree(plan);
  return [
    tree(plan),
    'These indexes would help:',
    ...advice.indexes,
    '',
    'The plan with them, on an empty copy of the schema (an index costs time at each write):',
    tree(advice.plan),
  ].join('\n');
}

function tree(plan: readonly PlanStep[], parent = 0, indent = ''): string {
  return plan
    .filter((step) => step.parent === parent)
    .map(({ id, detail }) => `${indent}${detail}\n${tree(plan, id, `${indent}  `)}`)
    .join('');
}
