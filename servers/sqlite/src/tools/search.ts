import { type Call, defineTool, toolResult } from '@mcp/protocol';
import { beginningOf, type Matches } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { boundedFacts } from '../text/bounded-facts.ts';
import { boundedLines } from '../text/bounded-lines.ts';
import { matchesSchema } from '../text/output-schemas.ts';
import { maxNameLength, nameText } from '../text/schema-text.ts';

const defaultLimit = 50;
const maxLimit = 500;

export const search = defineTool({
  name: 'search',
  title: 'Search text',
  description: 'Finds text in one table or all: by full-text expression where indexed, else in any column.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    text: z.string().min(1),
    table: z.string().optional(),
    limit: z.int().min(1).max(maxLimit).optional(),
    database: databaseArgument,
  }),
  outputSchema: matchesSchema,
  interpret: understand('text', 'table', 'limit', 'database'),

  async run({ text, table, limit = defaultLimit, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    const found = await databases.get(database).run('search', { text, table, limit }, { call });
    return toolResult({ content: matchesText(found), structuredContent: boundedFacts(found) });
  },
});

function matchesText({ matches, truncated, quoted }: Matches): string {
  const lines = matches.map(({ table, column, rowid, text }) => {
    const where = [table, ...(column === undefined ? [] : [column])].map(shortName).join('.');
    return `${where}${rowid === undefined ? '' : ` row ${JSON.stringify(rowid)}`}: ${JSON.stringify(text)}`;
  });
  const note = countText(matches.length, truncated);
  const shown = [
    ...boundedLines(lines, (count) => `… and ${count} more, which do not fit: name a table`),
    note,
  ];
  if (quoted) shown.push('The text is not a full-text expression: searched for its words');
  return shown.join('\n');
}

function shortName(name: string): string {
  return nameText(beginningOf(name, maxNameLength));
}

function countText(count: number, more: boolean): string {
  if (count === 0) return 'No matches';
  if (more)
    return `The first ${count} matches; there are more: raise limit to at most ${maxLimit}, or name a table`;
  return count === 1 ? '1 match' : `${count} matches`;
}
