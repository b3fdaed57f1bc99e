import { type Call, defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { counted, type SizedEntry } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { fittingLines } from '../text/bounds.ts';
import { listedName } from '../text/listed-name.ts';
import { sizesSchema } from '../text/output-schemas.ts';
import { filesView } from '../views.ts';

export const listDirectoryWithSizes = defineTool({
  name: 'list_directory_with_sizes',
  title: 'List directory with sizes',
  description: 'Lists the entries of a directory with sizes in bytes, in pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames(),
  view: filesView,

  inputSchema: z.object({
    path: z.string(),
    sortBy: z.enum(['name', 'size', 'modified']).default('name').describe('modified shows times'),
    recursive: z.boolean().optional().describe('Size of a directory: of all files in it'),
    skip: z.int().min(0).default(0).describe('Number of entries on previous pages'),
  }),

  outputSchema: sizesSchema,

  async run({ path, sortBy, recursive, skip }, { context: { sandbox }, signal, progress }: Call<Filesystem>) {
    const listed = await sandbox.listSizes(path, { sortBy, recursive, skip, signal, progress });
    const { entries, files, directories, bytes, total, more, filesInside, unreadable } = listed;
    const lines = entries.map((entry) => lineOf(entry, { recursive, isTimed: sortBy === 'modified' }));
    lines.splice(fittingLines(lines));
    const shown = entries.slice(0, lines.length).map(({ name, kind, size, modified }) => {
      return { name, kind, size, modified: modified.toISOString() };
    });
    const next = more || shown.length < entries.length ? skip + shown.length : undefined;
    if (next !== undefined) lines.push(`… ${total} entries in all; continue with skip ${next}`);
    const others = total - files - directories;
    const sum = [
      counted(files, 'file'),
      counted(directories, 'directory', 'directories'),
      ...(others > 0 ? [counted(others, 'other')] : []),
      `${bytes} bytes in files${recursive ? ` and ${counted(filesInside, 'file')} in subdirectories` : ''}`,
    ];
    const content = [
      ...lines,
      '',
      sum.join(', '),
      ...(unreadable > 0
        ? [`Not readable and not counted: ${counted(unreadable, 'directory', 'directories')}`]
        : []),
    ].join('\n');
    const counts = { total, files, directories, bytes, filesInside, unreadable };
    const structuredContent = { entries: shown, ...counts, ...(next !== undefined && { next }) };
    return toolResult({ content, structuredContent });
  },
});

function lineOf(
  { shown, kind, size, modified }: SizedEntry,
  { recursive, isTimed }: { recursive: boolean | undefined; isTimed: boolean },
): string {
  const isSized = kind === 'file' || (kind === 'directory' && recursive);
  const time = isTimed ? `  ${modified.toISOString().replace(/\.\d+/, '')}` : '';
  const label = kind === 'directory' ? 'DIR' : kind.toUpperCase();
  return `[${label}] ${listedName(shown)}${isSized ? `  ${size}` : ''}${time}`;
}
