import { requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import {
  checkRevision,
  commitHash,
  hasTrackedChanges,
  noSuch,
  overwrittenUntracked,
  quoted,
  reset,
  resetKeeping,
  shortHead,
  shortList,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitReset = repositoryTool({
  name: 'git_reset',
  title: 'Reset',
  description:
    'Unstages everything. With a revision, moves the branch there: soft keeps index and files, mixed the files, hard neither, keep all local changes.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },

  args: {
    mode: z.enum(['mixed', 'soft', 'hard', 'keep']).default('mixed'),
    revision: z.string().optional(),
  },

  async run(repository, { mode, revision }, call) {
    const to = revision === undefined ? undefined : checkRevision(revision);
    if (mode === 'hard') {
      const [changed, untracked] = await Promise.all([
        hasTrackedChanges(repository),
        overwrittenUntracked(repository, to ?? 'HEAD'),
      ]);
      if (changed || untracked.length > 0) {
        if (to !== undefined && (await repository.run(commitHash(to))) === undefined)
          throw noSuch('revision', to);
        const also = untracked.length === 0 ? '' : `, and the untracked ${shortList(untracked)},`;
        const text = `Discard all changes to tracked files in ${repository.root}${also} and go to ${quoted(to ?? 'HEAD')}?`;
        const question = await requireConfirmation(call, text);
        if (question) return question;
      }
    }
    if (mode === 'keep' && to === undefined) throw new Error('Missing revision: keep moves the branch to it');
    const before = await repository.withLock(async () => {
      const head = to === undefined ? undefined : await repository.runLocked(shortHead);
      await (mode === 'keep' ? resetKeeping(repository, to!) : repository.runLocked(reset(mode, to)));
      return head;
    });
    if (to === undefined && mode === 'mixed') return 'Unstaged everything';
    return before === undefined ? `Reset (${mode})` : `was ${before}`;
  },
});
