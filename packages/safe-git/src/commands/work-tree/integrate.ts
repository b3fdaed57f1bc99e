import { argv } from '../../argv.ts';
import { dirtyWorktreeRefusals } from '../refs/branches.ts';
import type { Command, CommandOutput, Refusal } from '../../command.ts';
import { escapeName } from '../../safe-text.ts';
import { refusalError } from '../../errors.ts';
import { missing } from '../../missing.ts';

export type Integration = 'merge' | 'rebase' | 'cherry-pick' | 'revert';
export type Step = 'continue' | 'abort' | 'skip';

/** `stopped` means that the operation stopped at conflicts, or at a commit that is now empty. */
export type Outcome = 'done' | 'nothing to do' | 'stopped';

const refusals: readonly Refusal[] = [
  [
    /^merge: (.*) - not something we can merge|invalid upstream '(.*)'|bad revision '(.*)'/m,
    ([, ...named]) => missing('revision', named.find((name) => name !== undefined) ?? ''),
  ],
  ...dirtyWorktreeRefusals,
  [
    /not possible to fast-forward|Not possible to fast-forward/i,
    'Not a fast-forward: the branches have diverged; merge or rebase instead',
  ],
  [/unrelated histories/, 'Unrelated histories: the branches have no common commit'],
  [
    /is a merge but no -m option/,
    'The commit is a merge: set mainline to the number of the parent to compare it with, usually 1',
  ],
  [/does not have parent (\d+)/, ([, parent]) => `The commit has no parent ${parent}`],
  [/empty commit set passed/, 'The range contains no commit'],
  [
    /cannot (rebase|pull|cherry-pick|revert).*(unstaged|uncommitted|index contains)|local changes/i,
    'There are local changes: commit or stash them first',
  ],
];

export interface IntegrationOptions {
  /** For a merge: `only` refuses all merges except a fast-forward; `never` always creates a merge commit. */
  readonly fastForward?: 'only' | 'never' | undefined;
  /** For a merge: stages the changes without committing them. */
  readonly squash?: boolean | undefined;
  /** For picking or reverting merge commits: the number of the parent to compare with. */
  readonly mainline?: number | undefined;
  /** For a rebase: the new base of the commits, if the new base is not the given revision. */
  readonly onto?: string | undefined;
}

/** Integrates a revision, a range, or several commits in their order into the current branch. */
export function integrate(
  kind: Integration,
  revisions: readonly string[],
  options: IntegrationOptions & { readonly trusted: boolean; readonly signs?: boolean },
): Command<Outcome> {
  const { trusted, signs, fastForward, squash, mainline, onto } = options;
  const unsigned = !trusted && !signs && '--no-gpg-sign';
  const unverified = !trusted && '--no-verify';
  const forward = fastForward && { only: '--ff-only', never: '--no-ff' }[fastForward];
  const args: { readonly [kind in Integration]: readonly string[] } = {
    merge: argv`merge --no-edit --no-stat ${unverified} ${!trusted && '--no-verify-signatures'} ${unsigned}
      ${forward} ${squash && '--squash'} ${revisions}`,
    rebase: argv`rebase --no-stat ${unverified} ${unsigned} --onto=${onto} ${revisions}`,
    'cherry-pick': argv`cherry-pick ${unsigned} --mainline=${mainline} ${revisions}`,
    revert: argv`revert --no-edit ${unsigned} --mainline=${mainline} ${revisions}`,
  };
  return { kind: 'write', args: args[kind], accept: [1], refusals, parse: outcome };
}

export function step(kind: Integration, action: Step): Command<Outcome> {
  return { kind: 'write', args: argv`${kind} --${action}`, accept: [1], refusals, parse: outcome };
}

/** Removes the state of an operation, and leaves HEAD, the index and the files as they are. */
export function quit(kind: Integration): Command<void> {
  return { kind: 'write', args: argv`${kind} --quit` };
}

function outcome({ code, stdout, stderr }: CommandOutput): Outcome {
  const printed = stdout.toString('utf8') + stderr;
  if (code === 0) return /Already up to date|is up to date\.$/m.test(printed) ? 'nothing to do' : 'done';
  if (
    /CONFLICT|needs merge|could not apply|Automatic merge failed|unmerged|fix conflicts|after resolving/i.test(
      printed,
    )
  )
    return 'stopped';
  if (/cherry-pick is now empty|nothing to commit/i.test(printed)) return 'stopped';
  for (const [pattern, meaning] of refusals) {
    const match = pattern.exec(printed);
    if (match) throw refusalError(typeof meaning === 'function' ? meaning(match) : meaning);
  }
  const [line = 'no reason given'] = printed.split('\n').filter((each) => /^(fatal|error): /.test(each));
  throw new Error(`Git refused: ${escapeName(line.replace(/^(fatal|error): /, '')).slice(0, 300)}`);
}
