import { inTheWay } from './branches.ts';
import type { Command, Output, Refusal } from '../command.ts';
import { displayName, quoted } from '../display-name.ts';

export type Integration = 'merge' | 'rebase' | 'cherry-pick' | 'revert';
export type Step = 'continue' | 'abort' | 'skip';

/** Whether it came to an end, or stopped at conflicts. */
export type Outcome = 'done' | 'nothing to do' | 'stopped';

const refusals: readonly Refusal[] = [
  [
    /^merge: (.*) - not something we can merge|invalid upstream '(.*)'|bad revision '(.*)'/m,
    ([, ...named]) => `No such revision: ${quoted(named.find((name) => name !== undefined) ?? '')}`,
  ],
  ...inTheWay,
  [
    /not possible to fast-forward|Not possible to fast-forward/i,
    'The branches have diverged, so it is not a fast-forward',
  ],
  [/unrelated histories/, 'The histories have no commit in common'],
  [/is a merge but no -m option/, 'A merge commit cannot be applied like this'],
  [
    /cannot (rebase|pull|cherry-pick|revert).*(unstaged|uncommitted|index contains)|local changes/i,
    'Files changed here are in the way: commit or stash them first',
  ],
];

/** Brings commits of elsewhere into the branch. */
export function integrate(
  how: Integration,
  revision: string,
  { trusted, fastForward }: { trusted: boolean; fastForward?: 'only' | 'never' | undefined },
): Command<Outcome> {
  const unsigned = trusted ? [] : ['--no-gpg-sign'];
  const args: { readonly [how in Integration]: readonly string[] } = {
    merge: [
      'merge',
      '--no-edit',
      '--no-stat',
      ...(trusted ? [] : ['--no-verify', '--no-verify-signatures']),
      ...unsigned,
      ...(fastForward === 'only' ? ['--ff-only'] : fastForward === 'never' ? ['--no-ff'] : []),
      revision,
    ],
    rebase: ['rebase', '--no-stat', ...(trusted ? [] : ['--no-verify']), ...unsigned, revision],
    'cherry-pick': ['cherry-pick', ...unsigned, revision],
    revert: ['revert', '--no-edit', ...unsigned, revision],
  };
  return { kind: 'write', args: args[how], accept: [1], refusals, parse: outcome };
}

/** Goes on with what has stopped, or gives it up. */
export function step(how: Integration, what: Step): Command<Outcome> {
  return { kind: 'write', args: [how, `--${what}`], accept: [1], refusals, parse: outcome };
}

function outcome({ code, stdout, stderr }: Output): Outcome {
  const said = stdout.toString('utf8') + stderr;
  if (code === 0) return /Already up to date|is up to date\.$/m.test(said) ? 'nothing to do' : 'done';
  if (
    /CONFLICT|needs merge|could not apply|Automatic merge failed|unmerged|fix conflicts|after resolving/i.test(
      said,
    )
  )
    return 'stopped';
  if (/cherry-pick is now empty|nothing to commit/i.test(said)) return 'stopped';
  for (const [pattern, meaning] of refusals) {
    const match = pattern.exec(said);
    if (match) throw new Error(typeof meaning === 'string' ? meaning : meaning(match));
  }
  const [line = 'no reason given'] = said.split('\n').filter((each) => /^(fatal|error): /.test(each));
  throw new Error(`Git refused: ${displayName(line.replace(/^(fatal|error): /, '')).slice(0, 300)}`);
}
