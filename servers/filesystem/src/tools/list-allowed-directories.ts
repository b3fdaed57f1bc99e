import { defineTool } from '@mcp/protocol';
import type { Filesystem } from '../context.ts';

export const listAllowedDirectories = defineTool({
  name: 'list_allowed_directories',
  title: 'List allowed directories',
  description: 'Lists the directories that may be touched. Relative paths start at the first.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  run: (_, { sandbox }: Filesystem) => sandbox.directories.join('\n') || 'No directory is allowed',
});
