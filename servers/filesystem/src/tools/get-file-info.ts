import { defineTool, toolResult } from '@mcp/protocol';
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
  outputSchema: z.object({
    path: z.string(),
    kind: z.string(),
    size: z.int().describe('Bytes'),
    created: z.string(),
    modified: z.string(),
    accessed: z.string(),
    permissions: z.string().describe('Octal, as chmod takes it'),
    links: z.int().describe('Hard links'),
    sha256: z.string().optional(),
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
    return toolResult({ content: lines.join('\n'), structuredContent: facts });
  },
});
