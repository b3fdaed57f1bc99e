import { existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../errors.ts';
import { readSmallFile } from '../../read-small-file.ts';
import type { Setting } from '../../trust/git-config.ts';
import type { Layout } from '../../trust/repository-layout.ts';

/** An operation that has started, but has not finished. */
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

/** Whether an operation's state lacks the files about its start. If so, git cannot abort the operation. */
export function isIncomplete({ gitDir }: Layout): boolean {
  const sequencer = join(gitDir, 'sequencer');
  if (existsSync(sequencer) && !['head', 'todo'].every((name) => existsSync(join(sequencer, name))))
    return true;
  return ['rebase-merge', 'rebase-apply'].some((directory) => {
    const has = (name: string) => existsSync(join(gitDir, directory, name));
    return existsSync(join(gitDir, directory)) && !(has('head-name') && has('orig-head') && has('onto'));
  });
}

/**
 * Throws if an operation is in progress. A bisect is permitted, because it can be continued after a checkout,
 * for example.
 */
export function refuseDuringOperation(layout: Layout): void {
  const current = operationIn(layout);
  if (current && current !== 'bisect')
    throw new Error(`A ${current} is in progress: continue or abort it first`);
}

/**
 * Throws if a checkout would end the operation in progress: git would, for example, forget the second parent
 * of a merge.
 */
export function refuseLeavingOperation(layout: Layout): void {
  const current = operationIn(layout);
  if (current === 'merge' || current === 'cherry-pick' || current === 'revert')
    throw new Error(`A ${current} is in progress: continue or abort it first`);
}

/** Throws if the remaining steps of a rebase or a series of picks would run a program. */
export function assertNoPrograms(layout: Layout): void {
  const { gitDir } = layout;
  assertNoOtherKey(layout);
  for (const name of ['rebase-merge/git-rebase-todo', 'rebase-apply/git-rebase-todo', 'sequencer/todo']) {
    if (/^[ \t]*(x|exec)[ \t]/m.test(textIn(join(gitDir, name)) ?? '')) {
      throw untrusted('the remaining steps would run a program');
    }
  }
  const applyOptions = textIn(join(gitDir, 'rebase-apply/apply-opt')) ?? '';
  const strategyOptions = textIn(join(gitDir, 'rebase-merge/strategy_opts')) ?? '';
  if (
    !safeApplyOptions.test(applyOptions) ||
    !strategyOptions.split(/\s+/).every((word) => safeStrategyOption.test(word))
  ) {
    throw untrusted('the remaining steps have options that name other files');
  }
  // Git runs the strategy as a program if its name is not one of git's own strategies.
  const strategy = textIn(join(gitDir, 'rebase-merge/strategy')) ?? 'ort';
  const options = textIn(join(gitDir, 'sequencer/opts')) ?? '';
  const lines = options.split('\n').filter((line) => /strategy/i.test(line));
  if (!knownStrategy.test(strategy) || !lines.every((line) => safeSequencerLine.test(line))) {
    throw untrusted('the remaining steps use a strategy that is not built into git');
  }
}

/**
 * Throws if the remaining steps of an operation name a key to sign with. Another program may have started the
 * operation and chosen a key that the operator does not want to use.
 */
function assertNoOtherKey({ gitDir }: Layout): void {
  const keys = ['rebase-merge', 'rebase-apply'].map(
    (name) => textIn(join(gitDir, name, 'gpg_sign_opt')) ?? '',
  );
  const lines = (textIn(join(gitDir, 'sequencer/opts')) ?? '')
    .split('\n')
    .filter((line) => /gpg/i.test(line));
  if (!keys.every((key) => /^'?(-S)?'?\s*$/.test(key)) || !lines.every((line) => line === '\tgpg-sign = '))
    throw untrusted('the remaining steps name a key to sign with');
}

const knownStrategy = /^(ort|recursive|resolve|octopus|ours|subtree)\s*$/;
/**
 * A line of `sequencer/opts` as git writes it. Other forms are refused: their values could continue on lines
 * that are not checked.
 */
const safeSequencerLine =
  /^\t(strategy = (ort|recursive|resolve|octopus|ours|subtree)|strategy-option = [\w=-]+)$/;

/** The options of `git am` as git writes them. Others are refused, as they could name an output file. */
const safeApplyOptions =
  /^(\s|'(--(whitespace=[\w-]+|ignore-whitespace|ignore-space-change|reject)|-[Cp]\d+)')*$/;
/**
 * Matches an option of a merge strategy, which never contains a path. Other text is refused, because git
 * could pass it to a command as an option that names a file.
 */
const safeStrategyOption = /^'?(--)?[\w=%-]*'?$/;

/**
 * Throws if a rebase has an autostash and configuration is included only on some branches. At the end of the
 * rebase, git switches to the branch and applies the autostash with settings that were not checked.
 */
export function assertNoAutostash({ gitDir }: Layout, settings: readonly Setting[]): void {
  const stashed = ['rebase-merge/autostash', 'rebase-apply/autostash'].some((name) =>
    lstatSync(join(gitDir, name), { throwIfNoEntry: false }),
  );
  if (stashed && settings.some(({ key }) => key.startsWith('includeif.onbranch:'))) {
    throw untrusted(
      'git would apply an autostash, and configuration is included only on some branches (includeIf.onbranch)',
    );
  }
}

function untrusted(reason: string): GitError {
  return new GitError(`Refused: ${reason}, and the repository is not trusted`, 'not trusted');
}

/** Whether the history is shallow, so that older commits were never fetched. */
export function isShallow({ commonDir }: Layout): boolean {
  return (statSync(join(commonDir, 'shallow'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The commits at which a shallow history begins. */
export function shallowCommits({ commonDir }: Layout): ReadonlySet<string> {
  return new Set(textIn(join(commonDir, 'shallow'))?.split('\n').filter(Boolean));
}

function textIn(path: string): string | undefined {
  return readSmallFile(path)?.toString('latin1');
}

/** The names of git's files and directories about operations in progress, relative to the git directory. */
const names = [
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'MERGE_AUTOSTASH',
  'SQUASH_MSG',
  'AUTO_MERGE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
];

export function operationFiles({ gitDir }: Layout): string[] {
  return names.filter((name) => lstatSync(join(gitDir, name), { throwIfNoEntry: false }));
}

/** Removes an operation's files, except `kept`. HEAD, the index and the work tree stay. */
export function removeOperationFiles(layout: Layout, kept: readonly string[]): void {
  for (const name of operationFiles(layout))
    if (!kept.includes(name)) rmSync(join(layout.gitDir, name), { recursive: true, force: true });
}

/** The commit in which an operation has stashed local changes; undefined if it has stashed none. */
export function autostashOf({ gitDir }: Layout): string | undefined {
  for (const name of ['rebase-merge/autostash', 'rebase-apply/autostash', 'MERGE_AUTOSTASH']) {
    const hash = readSmallFile(join(gitDir, name))?.toString('latin1').trim();
    if (hash !== undefined && /^[0-9a-f]{40,64}$/.test(hash)) return hash;
  }
  return undefined;
}
