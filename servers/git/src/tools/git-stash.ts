import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName, quoted } from '../backend/display-name.ts';
import { applyStashAnyway } from '../backend/actions/apply-stash.ts';
import { refuseUnfiltered } from '../backend/actions/refuse-unfiltered.ts';
import { restoreDroppedStash } from '../backend/actions/store-stash.ts';
import { dropStash, listStashes, missingStash, saveStash, type Stash } from '../backend/commands/stash.ts';
import { ignoredAmong, untrackedAmong } from '../backend/commands/tree-paths.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { replacedByDirectories } from '../backend/queries/overwritten-untracked.ts';
import { missingError } from '../backend/errors.ts';
import type { CallOptions, Repository } from '../backend/repository.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { countedList } from '../text/count-text.ts';

const outcomes = {
  applied: 'applied',
  'applied without the index': 'applied; the staged part conflicts with the index, so nothing is staged',
  conflicts: 'applied with conflicts; the stash is kept',
} as const;

export const gitStash = defineTool({
  name: 'git_stash',
  title: 'Stash',
  description: 'Saves, applies, pops, drops or lists stashes. Returns the list.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    action: z.enum(['list', 'save', 'apply', 'pop', 'drop']),
    index: z.int().min(0).default(0),
    commit: z.string().optional().describe('Apply this dropped stash, or save it again'),
    message: z.string().optional(),
    include_untracked: z.boolean().default(false),
  }),

  async run({ repo_path, action, index, commit, message, include_untracked }, { repositories }: Git, call) {
    const repository = repositories.at(repo_path);
    if (message !== undefined && /\p{Cc}/u.test(message))
      throw new Error('Invalid message: expected one line');
    if (commit !== undefined && action !== 'apply' && action !== 'save')
      throw new Error(`Invalid commit: it does not apply to ${action}`);
    const stash = commit === undefined ? index : checkRevision(commit);
    if (action === 'drop') {
      const { length } = await repository.run(listStashes);
      if (index >= length) throw missingError(missingStash(index));
      const question = await requireConfirmation(call, `Drop stash ${index} of ${repository.root}?`);
      if (question) return question;
    }
    const { signal, progress } = call;
    const work = async (): Promise<string> => {
      switch (action) {
        case 'list':
          return 'listed';
        case 'save':
          if (commit !== undefined) {
            await restoreDroppedStash(repository, checkRevision(commit), message, { signal });
            return 'saved';
          }
          await refuseUnfiltered(repository, ['.'], ({ untracked }) => !untracked || include_untracked, call);
          await refuseLosing(repository, include_untracked, { signal });
          return (await repository.runLocked(saveStash(message, include_untracked), { signal, progress }))
            ? 'saved'
            : 'nothing to save';
        case 'drop':
          return dropped(repository, index, { signal });
        case 'pop':
          return popped(repository, index, { signal, progress });
        default:
          return outcomes[await applyStashAnyway(repository, 'apply', stash, { signal, progress })];
      }
    };
    const done = action === 'list' ? await work() : await repository.withLock(work);
    const stashes = await repository.run(listStashes);
    const lines = stashes.map(stashLine);
    const list = stashes.length === 0 ? 'No stashes' : countedList(lines, 'stash', 'stashes');
    return action === 'list' ? list : `${done}\n${list}`;
  },
});

/**
 * Throws if files would be lost: git removes a directory in place of a tracked file, and a file in place of a
 * directory, even if the stash does not contain them.
 */
async function refuseLosing(repository: Repository, untracked: boolean, call: CallOptions): Promise<void> {
  const replaced = await replacedByDirectories(repository, call);
  if (replaced.length === 0) return;
  const among = untracked ? ignoredAmong : untrackedAmong;
  const lost = await repository.runLocked(among(replaced), call);
  if (lost.length === 0) return;
  const named = lost.slice(0, 5).map(quoted).join(', ') + (lost.length > 5 ? ', …' : '');
  const advice = untracked ? 'move them away first' : 'move them away, or stash with include_untracked';
  throw new Error(`Files in place of tracked ones would be lost: ${named}; ${advice}`);
}

async function popped(repository: Repository, index: number, call: CallOptions): Promise<string> {
  const stashes = await repository.runLocked(listStashes, call);
  const outcome = await applyStashAnyway(repository, 'pop', index, call);
  return outcome === 'conflicts'
    ? outcomes[outcome]
    : `${outcomes[outcome]}; save with ${argumentsOf(stashes[index])} puts the stash back as 0`;
}

async function dropped(repository: Repository, index: number, call: CallOptions): Promise<string> {
  const stashes = await repository.runLocked(listStashes, call);
  await repository.runLocked(dropStash(index), call);
  return `dropped; save with ${argumentsOf(stashes[index])} puts it back as 0, apply restores its changes`;
}

/**
 * The arguments that save a stash again as it was: git lists it by a message that its commit need not have.
 */
function argumentsOf(stash: Stash | undefined): string {
  if (stash === undefined) return 'its commit';
  const commit = `commit ${stash.hash.slice(0, 10)}`;
  const isOwn = stash.original.trim().replaceAll(/\s+/g, ' ') === stash.message.trim();
  return isOwn ? commit : `${commit} and message ${quoted(stash.message)}`;
}

function stashLine({ index, hash, date, message }: Stash): string {
  return `${index}: ${hash.slice(0, 10)} ${date.slice(0, 10)} ${displayName(message)}`;
}
