import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';

export const createDirectory = defineTool({
  name: 'create_directory',
  title: 'Create directory',
  description: 'Creates a directory and its missing parents. Succeeds if it exists.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },

  inputSchema: z.object({ path: z.string() }),

  async run({ path }, { sandbox }: Filesystem) {
    const { path: real, created } = await sandbox.createDirectory(path);
    return created > 0 ? `Created ${displayName(real)}` : `Already exists: ${displayName(real)}`;
  },
});
