import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';

export const listDirectoryWithSizes = defineTool({
  name: 'list_directory_with_sizes',
  title: 'List directory with sizes',
  description: 'Lists the entries of a directory with sizes in bytes, 1,000 per page.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string(),
    sortBy: z.enum(['name', 'size']).default('name'),
    skip: z.int().min(0).default(0).describe('Entries of the previous pages'),
  }),

  async run({ path, sortBy, skip }, { sandbox }: Filesystem, { signal, progress }) {
    const { entries, files, directories, bytes, total, more } = await sandbox.listSizes(path, {
      sortBy,
      skip,
      signal,
      progress,
    });
    const lines = entries.map(({ shown, kind, size }) =>
      kind === 'directory'
        ? `[DIR] ${shown}`
        : `[${kind.toUpperCase()}] ${shown}${kind === 'file' ? `  ${size}` : ''}`,
    );
    if (more) lines.push(`… ${total} entries in all; continue with skip ${skip + entries.length}`);
    return [...lines, '', `${files} files, ${directories} directories, ${bytes} bytes in files`].join('\n');
  },
});
