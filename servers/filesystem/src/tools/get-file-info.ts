import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';

export const getFileInfo = defineTool({
  name: 'get_file_info',
  title: 'Get file info',
  description: 'Returns the kind, size, times and permissions of a file or directory.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    path: z.string(),
    hash: z.boolean().default(false).describe('Add the SHA-256 of a file'),
  }),

  async run({ path, hash }, { sandbox }: Filesystem, { signal }) {
    const { created, modified, accessed, hash: sha256, ...rest } = await sandbox.info(path, { hash, signal });
    const facts = {
      ...rest,
      created: created.toISOString(),
      modified: modified.toISOString(),
      accessed: accessed.toISOString(),
      ...(sha256 !== undefined && { sha256 }),
    };
    const lines = Object.entries(facts).map(([name, value]) => `${name}: ${displayName(String(value))}`);
    return lines.join('\n');
  },
});
