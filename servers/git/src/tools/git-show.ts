import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { checkObjectName } from '../backend/commands/validate-revision.ts';
import { showObject } from '../backend/queries/show-object.ts';
import type { Git } from '../context.ts';
import { shownObjectText } from '../text/shown-object-text.ts';
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
    const name = checkObjectName(revision);
    const repository = repositories.at(repo_path);
    const shown = await showObject(repository, name, { cursor, stat }, { signal, progress });
    return shownObjectText(shown, cursor === undefined);
  },
});
