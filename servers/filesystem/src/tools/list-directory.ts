import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import type { Entry } from '../backend/traverse/directory-entries.ts';
import type { Filesystem } from '../context.ts';

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List directory',
  description: 'Lists what is in a directory, sorted by name; up to 1,000 entries at a time.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string(),
    cursor: z.string().optional().describe('nextCursor of the previous page'),
  }),
  outputSchema: z.object({
    path: z.string(),
    total: z.int(),
    entries: z.array(z.object({ name: z.string(), kind: z.string() })),
    nextCursor: z.string().optional(),
  }),

  async run({ path, cursor }, { sandbox }: Filesystem, { signal, progress }) {
    const listing = await sandbox.list(path, { after: cursor, limit: 1_000, signal, progress });
    const { entries, total, next } = listing;
    const lines = entries.map(line);
    if (next !== undefined)
      lines.push(`… ${total} entries in all; go on with cursor ${JSON.stringify(next)}`);
    return toolResult({
      content: lines.join('\n') || 'Empty directory',
      structuredContent: {
        path: listing.path,
        total,
        entries: entries.map(({ name, kind }) => ({ name, kind })),
        ...(next !== undefined && { nextCursor: next }),
      },
    });
  },
});

function line({ shown, kind }: Entry): string {
  return `[${kind === 'directory' ? 'DIR' : kind.toUpperCase()}] ${shown}`;
}
