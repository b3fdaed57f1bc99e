import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { resetKeeping } from '../backend/actions/reset-keeping.ts';
import { shortHead } from '../backend/commands/rev-parse.ts';
import { reset } from '../backend/commands/staging.ts';
import { status } from '../backend/commands/status.ts';
import { operationIn } from '../backend/queries/in-progress-operation.ts';
import type { Repository } from '../backend/repository.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitReset = defineTool({
  name: 'git_reset',
  title: 'Reset',
  description:
    'Unstages everything. With a revision, moves the branch there: soft keeps index and files, mixed the files, hard neither, keep all local changes.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    mode: z.enum(['mixed', 'soft', 'hard', 'keep']).default('mixed'),
    revision: z.string().optional(),
  }),

  async run({ repo_path, mode, revision }, { repositories }: Git, call) {
    const to = revision === undefined ? undefined : checkRevision(revision);
    const repository = repositories.at(repo_path);
    if (mode === 'hard' && (await hasChanges(repository, call.signal))) {
      const text = `Discard all changes to tracked files in ${repository.root} and go to ${quoted(to ?? 'HEAD')}?`;
      const question = await requireConfirmation(call, text);
      if (question) return question;
    }
    if (mode === 'keep' && to === undefined) throw new Error('Missing revision: keep moves the branch to it');
    const { signal } = call;
    const before = await repository.withLock(async () => {
      const head = to === undefined ? undefined : await repository.runLocked(shortHead, { signal });
      await (mode === 'keep'
        ? resetKeeping(repository, to!, call)
        : repository.runLocked(reset(mode, to), { signal }));
      return head;
    });
    if (to === undefined && mode === 'mixed') return 'Unstaged everything';
    return before === undefined ? `Reset (${mode})` : `was ${before}`;
  },
});

/** Whether a hard reset would lose changes; it keeps untracked files. */
async function hasChanges(repository: Repository, signal: AbortSignal | undefined): Promise<boolean> {
  const { trusted } = repository;
  const { entries } = await repository.run(status({ trusted }), { signal });
  return entries.some(({ untracked }) => !untracked) || operationIn(await repository.layout()) !== undefined;
}
