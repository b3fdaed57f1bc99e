import * as z from 'zod';
import { checkObjectName, shownObjectText, showObject } from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitShow = repositoryTool({
  name: 'git_show',
  title: 'Show',
  description:
    'Shows a commit with its diff to its first parent, a tag, or a file or directory as revision:path. In pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: {
    revision: z.string(),
    stat: z.boolean().default(false).describe('Only the lines per file'),
    cursor: z.string().optional(),
  },

  async run(repository, { revision, stat, cursor }) {
    const name = checkObjectName(revision);
    const shown = await showObject(repository, name, { cursor, stat });
    return shownObjectText(shown, cursor === undefined);
  },
});
