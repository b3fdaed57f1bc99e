import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import { stageFiles } from '../backend/actions/stage-files.ts';
import { stageLines } from '../backend/actions/stage-lines.ts';
import { removeFromIndex } from '../backend/commands/staging.ts';
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
    untrack: z.boolean().default(false).describe('Stop tracking; the files stay'),
    lines: z
      .array(z.string())
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        'Only these changes of the one file: @@ headers of its unstaged diff, or lines as +10-12, -7',
      ),
    index: z.string().optional().describe('For lines: "a1b2..c3d4" from the index line of that diff'),
  }),

  async run({ repo_path, files, untrack, lines, index }, { repositories }: Git, { signal }) {
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    const paths = workTreePaths(files, top);
    if (lines && (untrack || paths.length !== 1))
      throw new Error('Invalid lines: expected exactly one file, and no untrack');
    if (untrack) {
      await repository.run(removeFromIndex(paths, { keepFiles: true }), { signal });
      return 'Not tracked from the next commit on; git_restore with staged undoes it';
    }
    if (lines) {
      const count = await stageLines(repository, paths[0]!, { lines, index }, { signal });
      return `Staged ${count} changed lines; git_restore with staged undoes it`;
    }
    await repository.withLock(() => stageFiles(repository, paths, { signal }));
    return 'Staged';
  },
});
