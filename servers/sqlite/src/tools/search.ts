import { type Call, defineTool } from '@mcp/protocol';
import type { Matches } from '@mcp/sqlite-pool';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
import { understand } from '../input/understood-names.ts';
import { nameText } from '../text/schema-text.ts';

const maxMatches = 50;

export const search = defineTool({
  name: 'search',
  title: 'Search text',
  description: 'Finds text in one table or all: by full-text expression where indexed, else in any column.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    text: z.string().min(1),
    table: z.string().optional(),
    database: databaseArgument,
  }),
  interpret: understand('text', 'table', 'limit', 'database'),

  async run({ text, table, database }, call: Call<Sqlite>) {
    const { databases } = call.context;
    return matchesText(
      await databases.get(database).run('search', { text, table, limit: maxMatches }, { call }),
    );
  },
});

function matchesText({ matches, truncated, quoted }: Matches): string {
  const lines = matches.map(({ table, column, rowid, text }) => {
    const where = `${nameText(table)}${column === undefined ? '' : `.${nameText(column)}`}`;
    return `${where}${rowid === undefined ? '' : ` row ${JSON.stringify(rowid)}`}: ${JSON.stringify(text)}`;
  });
  lines.push(countText(matches.length, truncated));
  if (quoted) lines.push('The text is not a full-text expression: searched for its words');
  return lines.join('\n');
}

function countText(count: number, more: boolean): string {
  if (count === 0) return 'No matches';
  if (more) return `The first ${count} matches; there are more`;
  return count === 1 ? '1 match' : `${count} matches`;
}
