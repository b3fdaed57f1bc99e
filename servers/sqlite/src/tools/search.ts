import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Matches } from '../backend/engine/search-tables.ts';
import type { Sqlite } from '../context.ts';
import { databaseArgument } from '../input/database-argument.ts';
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
  outputSchema: z.object({
    matches: z.array(
      z.looseObject({ table: z.string(), text: z.string() }).meta({ additionalProperties: true }),
    ),
    truncated: z.boolean(),
    quoted: z.boolean(),
  }),

  async run({ text, table, database }, { databases }: Sqlite, call) {
    const found = await databases.get(database).run('search', { text, table, limit: maxMatches }, { call });
    return toolResult({
      content: matchesText(found),
      structuredContent: { ...found, matches: found.matches.map((match) => ({ ...match })) },
    });
  },
});

function matchesText({ matches, truncated, quoted }: Matches): string {
  const lines = matches.map(({ table, column, rowid, text }) => {
    const where = `${nameText(table)}${column === undefined ? '' : `.${nameText(column)}`}`;
    return `${where}${rowid === undefined ? '' : ` row ${JSON.stringify(rowid)}`}: ${JSON.stringify(text)}`;
  });
  if (lines.length === 0) lines.push('No matches');
  if (quoted) lines.push('The text is not a full-text expression: searched for its words');
  if (truncated) lines.push(`There are more matches; the first ${maxMatches} are shown`);
  return lines.join('\n');
}
