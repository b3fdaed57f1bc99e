import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from '../access/repository-layout.ts';
import type { Setting } from '../access/git-config.ts';
import { readSmallFile } from '../read-small-file.ts';

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
    return textIn(join(gitDir, 'sequencer/todo'))?.startsWith('revert') ? 'revert' : 'cherry-pick';
  if (has('BISECT_LOG')) return 'bisect';
  return undefined;
}

/** Refuses to go on with a list of steps in which somebody has written a program to run. */
export function refusePrograms({ gitDir }: Layout): void {
  for (const name of ['rebase-merge/git-rebase-todo', 'rebase-apply/git-rebase-todo', 'sequencer/todo']) {
    if (/^[ \t]*(x|exec)[ \t]/m.test(textIn(join(gitDir, name)) ?? '')) {
      throw new Error('Refused: the steps that are left would run a program; only --trust lets them');
    }
  }
  const applied = textIn(join(gitDir, 'rebase-apply/apply-opt')) ?? '';
  const wished = textIn(join(gitDir, 'rebase-merge/strategy_opts')) ?? '';
  if (!ownApplyOptions.test(applied) || !wished.split(/\s+/).every((word) => ownWish.test(word))) {
    throw new Error('Refused: the steps that are left have options that lead git to other files');
  }
  // A strategy of another name is a program too.
  const strategy = textIn(join(gitDir, 'rebase-merge/strategy')) ?? 'ort';
  const options = textIn(join(gitDir, 'sequencer/opts')) ?? '';
  const lines = options.split('\n').filter((line) => /strategy/i.test(line));
  if (!ownStrategy.test(strategy) || !lines.every((line) => ownStrategyOption.test(line))) {
    throw new Error('Refused: the steps that are left would use a strategy that is not one of git’s own');
  }
}

const ownStrategy = /^(ort|recursive|resolve|octopus|ours|subtree)\s*$/;
/** As git itself writes them down; in the file of options a value could go on in the next line. */
const ownStrategyOption =
  /^\t(strategy = (ort|recursive|resolve|octopus|ours|subtree)|strategy-option = [\w=-]+)$/;

/** As `git am` writes down what it was told. Another could name a file to write to. */
const ownApplyOptions =
  /^(\s|'(--(whitespace=[\w-]+|ignore-whitespace|ignore-space-change|reject)|-[Cp]\d+)')*$/;
/** An option of a strategy has no path in it: that of another command would. */
const ownWish = /^'?(--)?[\w=%-]*'?$/;

/**
 * Refuses what would set aside changes free again, once HEAD is on its branch: another git does that, with what the
 * configuration says of that branch, at which nobody has looked.
 */
export function refuseAutostash({ gitDir }: Layout, settings: readonly Setting[]): void {
  const aside = ['rebase-merge/autostash', 'rebase-apply/autostash'].some((name) =>
    lstatSync(join(gitDir, name), { throwIfNoEntry: false }),
  );
  if (aside && settings.some(({ key }) => key.startsWith('includeif.onbranch:'))) {
    throw new Error(
      'Refused: changes were set aside, and the configuration depends on the branch; only --trust brings them back',
    );
  }
}

/** Whether older commits are missing because they were never fetched. */
export function isShallow({ commonDir }: Layout): boolean {
  return (statSync(join(commonDir, 'shallow'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function textIn(path: string): string | undefined {
  return readSmallFile(path)?.toString('latin1');
}
