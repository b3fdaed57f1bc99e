import { requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import {
  checkRevision,
  conflictedPaths,
  lostFiles,
  quoted,
  restore,
  restoreStagedBlob,
  shortList,
  takeSide,
  workTreePaths,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { undoOfSide } from '../text/undo-text.ts';

export const gitRestore = repositoryTool({
  name: 'git_restore',
  title: 'Restore paths',
  description: 'Restores files from the index or a revision; with staged, unstages them.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },

  args: {
    paths: z.array(z.string()).min(1),
    staged: z.boolean().default(false),
    source: z.string().optional().describe('Revision; with staged also a blob'),
    side: z.enum(['ours', 'theirs', 'conflict']).optional().describe('Resolve by a side, or undo that'),
  },

  async run(repository, { paths, staged, source, side }, call) {
    if (side && (staged || source !== undefined))
      throw new Error('Invalid arguments: side takes no staged and no source');
    const from = source === undefined ? undefined : checkRevision(source);
    const { top } = await repository.layout();
    const inside = workTreePaths(paths, top);
    const lost = staged ? [] : await lostFiles(repository, inside, { source: from, side });
    const [conflict] =
      staged || from !== undefined || side ? [] : await repository.run(conflictedPaths(inside));
    if (conflict !== undefined)
      throw new Error(`In conflict: ${quoted(conflict)}; side ours or theirs takes a side of it`);
    if (lost.length > 0) {
      const question = await requireConfirmation(
        call,
        `Discard the changes in ${shortList(lost)} of ${repository.root}?`,
      );
      if (question) return question;
    }
    if (side) {
      const taken = await takeSide(repository, inside, side);
      return side === 'conflict'
        ? 'Restored the conflict'
        : `Took ${side}, staged; ${undoOfSide(inside, taken)}`;
    }
    if (staged && from !== undefined && (await restoreStagedBlob(repository, from, inside))) return 'Staged';
    await repository.run(restore({ paths: inside, staged, source: from }));
    return staged ? 'Unstaged' : 'Restored';
  },
});
