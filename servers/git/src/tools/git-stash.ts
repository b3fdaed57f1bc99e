import { requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import {
  applyAnswer,
  checkRevision,
  countedList,
  dropAnswer,
  listStashes,
  missingError,
  missingStash,
  nameOfStash,
  popAnswer,
  saveAgainAnswer,
  saveAnswer,
  shownObjectText,
  showObject,
  stashLine,
  untrackedOfStash,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { listFacts, stashesSchema, stashFacts } from '../text/facts.ts';

export const gitStash = repositoryTool({
  name: 'git_stash',
  title: 'Stash',
  description: 'Saves, shows, applies, pops, drops or lists stashes. Returns the list.',
  annotations: { destructiveHint: true, openWorldHint: false },

  args: {
    action: z.enum(['list', 'show', 'save', 'apply', 'pop', 'drop']),
    index: z.int().min(0).default(0),
    commit: z.string().optional().describe('Apply this dropped stash, or save it again'),
    message: z.string().optional(),
    include_untracked: z.boolean().default(false),
  },

  facts: stashesSchema,

  async run(repository, { action, index, commit, message, include_untracked }, call) {
    if (message !== undefined && /\p{Cc}/u.test(message))
      throw new Error('Invalid message: expected one line');
    if (commit !== undefined && action !== 'apply' && action !== 'save')
      throw new Error(`Invalid commit: ${action} takes no commit; expected the action apply or save`);
    const stash = commit === undefined ? index : checkRevision(commit);
    if (action === 'drop' || action === 'show') {
      const { length } = await repository.run(listStashes);
      if (index >= length) throw missingError(missingStash(index));
      if (action === 'drop') await requireConfirmation(call, `Drop stash ${index} of ${repository.root}?`);
    }
    if (action === 'show') {
      const shown = await showObject(repository, nameOfStash(index), { stat: false });
      const untracked = await untrackedOfStash(repository, shown, { stat: false });
      const text = [shownObjectText(shown, true), ...(untracked === undefined ? [] : [untracked])];
      const stashes = await repository.run(listStashes);
      return { text: text.join('\n\n'), facts: listFacts('stashes', stashes.map(stashFacts)) };
    }
    const work = async (): Promise<string> => {
      switch (action) {
        case 'save':
          return commit === undefined
            ? saveAnswer(repository, { message, untracked: include_untracked })
            : saveAgainAnswer(repository, checkRevision(commit), message);
        case 'drop':
          return dropAnswer(repository, index);
        case 'pop':
          return popAnswer(repository, index);
        default:
          return applyAnswer(repository, stash);
      }
    };
    const done = action === 'list' ? [] : [await repository.withLock(work)];
    const stashes = await repository.run(listStashes);
    const lines = stashes.map(stashLine);
    const list = stashes.length === 0 ? 'No stashes' : countedList(lines, 'stash', 'stashes');
    return { text: [...done, list].join('\n'), facts: listFacts('stashes', stashes.map(stashFacts)) };
  },
});
