import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';
import { destinationOf, forEachPath, pathsOf } from '../input/each-path.ts';

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move file',
  description:
    'Moves or renames a file or directory; a symlink itself, not its target. Fails if the destination exists.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    source: z.string().optional(),
    sources: z.array(z.string()).min(1).max(1_000).optional().describe('Several, instead of source'),
    destination: z.string().describe('New path, including the name; with sources, an existing directory'),
  }),

  run({ source, sources, destination }, { sandbox }: Filesystem, { signal }) {
    return forEachPath(pathsOf(source, sources, 'source'), signal, async (each) => {
      const { from, to } = await sandbox.move(each, destinationOf(each, destination, sources));
      return `Moved ${displayName(from)} to ${displayName(to)}`;
    });
  },
});
