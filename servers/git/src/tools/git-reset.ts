import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { resetKeeping } from '../backend/actions/reset-keeping.ts';
import { commitHash, shortHead } from '../backend/commands/rev-parse.ts';
import { reset } from '../backend/commands/staging.ts';
import { status } from '../backend/commands/status.ts';
import { missingError } from '../backend/errors.ts';
import { missing } from '../backend/missing.ts';
import { operationIn } from '../backend/queries/in-progress-operation.ts';
import { overwrittenUntracked } from '../backend/queries/overwritten-untracked.ts';
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
    if (mode === 'hard') {
      const [changed, untracked] = await Promise.all([
        hasChanges(repository, call.signal),
        overwrittenUntracked(repository, to ?? 'HEAD', call),
      ]);
      if (changed || untracked.length > 0) {
        if (to !== undefined && (await repository.run(commitHash(to))) === undefined)
          throw missingError(missing('revision', to));
        const text = questionFor(repository.root, to ?? 'HEAD', untracked);
        const question = await requireConfirmation(call, text);
        if (question) return question;
      }
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

function questionFor(root: string, to: string, untracked: readonly string[]): string {
  const names = untracked.slice(0, 5).map(quoted).join(', ') + (untracked.length > 5 ? ', …' : '');
  const also = untracked.length === 0 ? '' : `, and the untracked ${names},`;
  return `Discard all changes to tracked files in ${root}${also} and go to ${quoted(to)}?`;
}

/** Whether a hard reset would lose changes to tracked files. */
async function hasChanges(repository: Repository, signal: AbortSignal | undefined): Promise<boolean> {
  const { trusted } = repository;
  const { entries } = await repository.run(status({ trusted }), { signal });
  return entries.some(({ untracked }) => !untracked) || operationIn(await repository.layout()) !== undefined;
}
