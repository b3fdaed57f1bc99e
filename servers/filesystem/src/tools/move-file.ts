import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move file',
  description:
    'Moves or renames a file or directory; a symlink itself, not its target. Fails if the destination exists.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    source: z.string(),
    destination: z.string().describe('New path, including the name'),
  }),

  async run({ source, destination }, { sandbox }: Filesystem) {
    const { from, to } = await sandbox.move(source, destination);
    return `Moved ${displayName(from)} to ${displayName(to)}`;
  },
});
