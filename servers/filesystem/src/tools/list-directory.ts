import { type Call, defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { counted, type Entry } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { fittingLines } from '../text/bounds.ts';
import { listedName } from '../text/listed-name.ts';
import { listingSchema } from '../text/output-schemas.ts';

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List directory',
  description: 'Lists the entries of a directory, sorted by name, in pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames({ directory: 'path', dir_path: 'path' }),

  inputSchema: z.object({
    path: z.string(),
    cursor: z.string().optional().describe('From the previous page'),
  }),

  outputSchema: listingSchema,

  async run({ path, cursor }, { context: { sandbox }, signal, progress }: Call<Filesystem>) {
    const listed = await sandbox.list(path, { after: cursor, signal, progress });
    const { entries, total } = listed;
    const lines = entries.map(line);
    const fitting = fittingLines(lines);
    const next = fitting < lines.length ? entries[fitting - 1]!.name : listed.next;
    lines.splice(fitting);
    if (next !== undefined)
      lines.push(`… ${total} entries in all; continue with cursor ${JSON.stringify(next)}`);
    else if (total > 0) lines.push(counted(total, 'entry', 'entries'));
    return toolResult({
      content: lines.join('\n') || 'Empty directory',
      structuredContent: {
        entries: entries.slice(0, fitting).map(({ name, kind }) => ({ name, kind })),
        total,
        ...(next !== undefined && { next }),
      },
    });
  },
});

function line({ shown, kind }: Entry): string {
  return `[${kind === 'directory' ? 'DIR' : kind.toUpperCase()}] ${listedName(shown)}`;
}
