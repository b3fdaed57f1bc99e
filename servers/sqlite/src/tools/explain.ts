import { type Call, defineTool, toolResult } from '@mcp/protocol';
import type { Explanation, PlanStep } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { boundedFacts } from '../text/bounded-facts.ts';
import { boundedLines } from '../text/bounded-lines.ts';
import { asParameters, databaseArgument, shortParamsArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { planSchema } from '../text/output-schemas.ts';

export const explain = defineTool({
  name: 'explain',
  title: 'Explain a query',
  description: 'Shows the query plan of a statement, and the indexes that would help.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ sql: z.string(), params: shortParamsArgument, database: databaseArgument }),
  outputSchema: planSchema,
  interpret: understand('sql', 'params', 'database'),

  async run({ sql, params, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    const args = { sql, params: asParameters(params) };
    const explained = await databases.reading(database, [sql], (found, files) =>
      found.run('explain', { ...args, files }, { call }),
    );
    return toolResult({ content: explanationText(explained), structuredContent: boundedFacts(explained) });
  },
});

function explanationText({ plan, advice }: Explanation): string {
  if (!advice) return boundedTree(plan);
  return [
    boundedTree(plan),
    'These indexes would help:',
    ...boundedLines(advice.indexes, (count) => `… and ${count} more indexes`, maxIndexesLength),
    '',
    'The plan with them, on an empty copy of the schema (an index costs time at each write):',
    boundedTree(advice.plan),
  ].join('\n');
}

const maxTreeLength = 14_000;
const maxIndexesLength = 8_000;

function boundedTree(plan: readonly PlanStep[]): string {
  const rest = (count: number) => `… and ${count} more lines; explain the parts of the statement alone`;
  return boundedLines(tree(plan).split('\n'), rest, maxTreeLength).join('\n');
}

function tree(plan: readonly PlanStep[], parent = 0, indent = ''): string {
  return plan
    .filter((step) => step.parent === parent)
    .map(({ id, detail }) => `${indent}${detail}\n${tree(plan, id, `${indent}  `)}`)
    .join('');
}
