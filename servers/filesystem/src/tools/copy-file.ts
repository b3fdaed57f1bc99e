import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';
import { destinationOf, forEachPath, pathsOf } from '../input/each-path.ts';

export const copyFile = defineTool({
  name: 'copy_file',
  title: 'Copy file',
  description:
    'Copies a file, or a directory with its content, symlinks as symlinks. Fails if the destination exists.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.object({
    source: z.string().optional(),
    sources: z.array(z.string()).min(1).max(1_000).optional().describe('Several, instead of source'),
    destination: z
      .string()
      .describe('Path of the copy, including its name; with sources, an existing directory'),
  }),

  run({ source, sources, destination }, { sandbox }: Filesystem, { signal, progress }) {
    return forEachPath(pathsOf(source, sources, 'source'), signal, async (each) => {
      const target = destinationOf(each, destination, sources);
      const { from, to, files, directories, links, skipped } = await sandbox.copy(each, target, {
        signal,
        progress,
      });
      const parts = directories > 0 ? ` (${files} files, ${directories} directories, ${links} links)` : '';
      return [
        `Copied ${displayName(from)} to ${displayName(to)}${parts}`,
        ...skipped.map((path) => `Skipped: ${path}`),
      ].join('\n');
    });
  },
});
