import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';
import { forEachPath, pathsOf } from '../input/each-path.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete file',
  description:
    'Deletes a file, an empty directory, or, when recursive, a directory with its content; a symlink itself, not its ' +
    'target. Cannot be undone.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string().optional(),
    paths: z.array(z.string()).min(1).max(1_000).optional().describe('Several, instead of path'),
    recursive: z.boolean().default(false),
  }),

  run({ path, paths, recursive }, { sandbox }: Filesystem, { signal, progress }) {
    return forEachPath(pathsOf(path, paths), signal, async (each) => {
      const { path: real, count } = await sandbox.delete(each, { recursive, signal, progress });
      const inside = count === 2 ? '1 entry' : `${count - 1} entries`;
      return `Deleted ${displayName(real)}${count > 1 ? ` and ${inside} in it` : ''}`;
    });
  },
});
