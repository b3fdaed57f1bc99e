import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import { stageFiles } from '../backend/actions/stage-files.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitAdd = defineTool({
  name: 'git_add',
  title: 'Stage files',
  description: 'Stages files, including deleted ones; "." stages all.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    files: z.array(z.string()).min(1).describe('Paths; patterns are literal'),
  }),

  async run({ repo_path, files }, { repositories }: Git, { signal }) {
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    await repository.withLock(() => stageFiles(repository, workTreePaths(files, top), { signal }));
    return 'Staged';
  },
});
