import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete file',
  description:
    'Deletes a file, an empty directory, or, when recursive, a directory with all it holds; a link itself and ' +
    'not its target. Cannot be undone.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string(),
    recursive: z.boolean().default(false),
  }),

  async run({ path, recursive }, { sandbox }: Filesystem, { signal, progress }) {
    const { path: real, count } = await sandbox.delete(path, { recursive, signal, progress });
    return `Deleted ${displayName(real)}${count > 1 ? ` and the ${count - 1} files and directories in it` : ''}`;
  },
});
