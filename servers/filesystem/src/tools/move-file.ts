import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move file',
  description:
    'Moves or renames a file or directory; a link itself and not its target. Fails where something is already.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    source: z.string(),
    destination: z.string().describe('The new path, name included'),
  }),

  async run({ source, destination }, { sandbox }: Filesystem) {
    const { from, to } = await sandbox.move(source, destination);
    return `Moved ${displayName(from)} to ${displayName(to)}`;
  },
});
