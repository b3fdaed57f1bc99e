import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from './layout.ts';

/** What has begun in a repository and is not finished. */
export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' | 'apply';

export function operationIn({ gitDir }: Layout): Operation | undefined {
  const has = (name: string) => existsSync(join(gitDir, name));
  if (has('rebase-merge')) return 'rebase';
  if (has('rebase-apply')) return has('rebase-apply/applying') ? 'apply' : 'rebase';
  if (has('MERGE_HEAD')) return 'merge';
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick';
  if (has('REVERT_HEAD')) return 'revert';
  if (has('sequencer'))
    return startsWith(join(gitDir, 'sequencer/todo'), 'revert') ? 'revert' : 'cherry-pick';
  if (has('BISECT_LOG')) return 'bisect';
  return undefined;
}

/** Refuses to go on with a list of steps in which somebody has written a program to run. */
export function refusePrograms({ gitDir }: Layout): void {
  for (const name of ['rebase-merge/git-rebase-todo', 'rebase-apply/git-rebase-todo', 'sequencer/todo']) {
    const path = join(gitDir, name);
    if (!existsSync(path)) continue;
    if (/^[ \t]*(x|exec)[ \t]/m.test(readFileSync(path, 'latin1'))) {
      throw new Error('Refused: the steps that are left would run a program; only --trust lets them');
    }
  }
  // A strategy of another name is a program too.
  const strategy = join(gitDir, 'rebase-merge/strategy');
  if (
    existsSync(strategy) &&
    !/^(ort|recursive|resolve|octopus|ours|subtree)\s*$/.test(readFileSync(strategy, 'latin1'))
  ) {
    throw new Error('Refused: the rebase would run a strategy that is not one of git’s own');
  }
}

/** Whether older commits are missing because they were never fetched. */
export function isShallow({ commonDir }: Layout): boolean {
  return (statSync(join(commonDir, 'shallow'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function startsWith(path: string, word: string): boolean {
  return existsSync(path) && readFileSync(path, 'latin1').startsWith(word);
}
