import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';

export const getFileInfo = defineTool({
  name: 'get_file_info',
  title: 'Get file info',
  description: 'Tells the kind, size, times and permissions of a file or directory.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ path: z.string() }),
  outputSchema: z.object({
    path: z.string(),
    kind: z.string(),
    size: z.int().describe('Bytes'),
    created: z.string(),
    modified: z.string(),
    accessed: z.string(),
    permissions: z.string().describe('Octal, as chmod takes it'),
    links: z.int().describe('Names of the same file'),
  }),

  async run({ path }, { sandbox }: Filesystem) {
    const { created, modified, accessed, ...rest } = await sandbox.info(path);
    const facts = {
      ...rest,
      created: created.toISOString(),
      modified: modified.toISOString(),
      accessed: accessed.toISOString(),
    };
    const lines = Object.entries(facts).map(([name, value]) => `${name}: ${displayName(String(value))}`);
    return toolResult({ content: lines.join('\n'), structuredContent: facts });
  },
});
