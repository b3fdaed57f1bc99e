import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { checkObjectName } from '../backend/commands/validate-revision.ts';
import { show } from '../backend/commands/show.ts';
import type { Git } from '../context.ts';
import { pageText } from '../text/page-text.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitShow = defineTool({
  name: 'git_show',
  title: 'Show',
  description:
    'Shows a commit with its diff to its first parent, a tag, or a file or directory as revision:path. In pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    revision: z.string(),
    stat: z.boolean().default(false).describe('Only the lines per file'),
    cursor: z.string().optional(),
  }),

  async run({ repo_path, revision, stat, cursor }, { repositories }: Git, { signal, progress }) {
    const command = show(checkObjectName(revision), { cursor, stat });
    return pageText(await repositories.at(repo_path).run(command, { signal, progress }), 'Empty');
  },
});
