import * as z from 'zod';
import { stagedText, stageFiles, stageLines, untrack, workTreePaths } from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { undoOfUntrack } from '../text/undo-text.ts';

export const gitAdd = repositoryTool({
  name: 'git_add',
  title: 'Stage files',
  description: 'Stages files, including deleted ones; "." stages all.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },

  args: {
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
  },

  async run(repository, { files, untrack: stopsTracking, lines, index }) {
    const { top } = await repository.layout();
    const paths = workTreePaths(files, top);
    if (lines && (stopsTracking || paths.length !== 1))
      throw new Error('Invalid lines: expected exactly one file, and no untrack');
    if (stopsTracking) {
      const was = await untrack(repository, paths);
      return `Not tracked from the next commit on; ${undoOfUntrack(was)}`;
    }
    if (lines) {
      const { count, before } = await stageLines(repository, paths[0]!, { lines, index });
      const source = before === undefined ? '' : ` and source ${before.slice(0, 10)}`;
      return `Staged ${count} changed lines; git_restore with staged${source} undoes it`;
    }
    return repository.withLock(async () => stagedText(await stageFiles(repository, paths)));
  },
});
