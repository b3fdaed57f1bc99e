import { type Call, defineTool, toolResult } from '@mcp/protocol';
import { counted } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { directoriesSchema } from '../text/output-schemas.ts';

export const listAllowedDirectories = defineTool({
  name: 'list_allowed_directories',
  title: 'List allowed directories',
  description: 'Lists the allowed directories. Relative paths start at the first.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  outputSchema: directoriesSchema,

  run(_, { context: { sandbox } }: Call<Filesystem>) {
    const { directories } = sandbox;
    const content =
      directories.length === 0
        ? 'No directory is allowed; name one when the server starts, or as a root of the client'
        : [...directories, counted(directories.length, 'directory', 'directories')].join('\n');
    return toolResult({ content, structuredContent: { directories } });
  },
});
