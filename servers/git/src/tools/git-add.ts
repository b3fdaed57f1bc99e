import * as z from 'zod';
import { stagedText, stageFiles, stageLines, untrack, workTreePaths } from '@mcp/safe-git';
import { selectedLines } from '../input/selected-lines.ts';
import { repositoryTool } from '../input/repository-tool.ts';
import { undoOfUntrack } from '../text/undo-text.ts';

export const gitAdd = repositoryTool({
  name: 'git_add',
  title: 'Stage files',
  description: 'Stages files, including deleted ones; "." stages all.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },

  args: {
    files: z.array(z.string()).min(1).describe('Paths; * and ? are literal'),
    untrack: z.boolean().default(false).describe('Stop tracking; the files stay'),
    lines: selectedLines.describe(
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
      const selection = { lines, index };
      const { count, before } = await repository.withLock(() => stageLines(repository, paths[0]!, selection));
      const source = before === undefined ? '' : `, source ${before.slice(0, 10)}`;
      return `Staged ${count} changed lines; to undo: git_restore with staged${source} and the same path`;
    }
    return repository.withLock(async () => stagedText(await stageFiles(repository, paths)));
  },
});
