import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';

export const copyFile = defineTool({
  name: 'copy_file',
  title: 'Copy file',
  description:
    'Copies a file, or a directory with its content, symlinks as symlinks. Fails if the destination exists.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.object({
    source: z.string(),
    destination: z.string().describe('Path of the copy, including its name'),
  }),

  async run({ source, destination }, { sandbox }: Filesystem, { signal, progress }) {
    const copied = await sandbox.copy(source, destination, { signal, progress });
    const { from, to, files, directories, links, skipped } = copied;
    const parts = directories > 0 ? ` (${files} files, ${directories} directories, ${links} links)` : '';
    return [
      `Copied ${displayName(from)} to ${displayName(to)}${parts}`,
      ...skipped.map((path) => `Skipped: ${path}`),
    ].join('\n');
  },
});
