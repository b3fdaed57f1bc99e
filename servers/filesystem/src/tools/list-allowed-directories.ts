import { type Call, defineTool } from '@mcp/protocol';
import { counted } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';

export const listAllowedDirectories = defineTool({
  name: 'list_allowed_directories',
  title: 'List allowed directories',
  description: 'Lists the allowed directories. Relative paths start at the first.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  run(_, { context: { sandbox } }: Call<Filesystem>): string {
    const { directories } = sandbox;
    if (directories.length === 0) return 'No directory is allowed';
    return [...directories, counted(directories.length, 'directory', 'directories')].join('\n');
  },
});
