import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

/** Twelve commits on main, of which the eighth breaks value.txt, and every third changes other.txt alone. */
const template = new WorkspaceTemplate({ 'value.txt': '1\n', '.gitignore': '*.log\n' }, async (workspace) => {
  for (let at = 2; at <= 12; at++) {
    const file = at % 3 === 0 ? 'other.txt' : 'value.txt';
    await workspace.commit(`step ${at}`, { [file]: at >= 8 ? `broken ${at}\n` : `${at}\n` });
  }
});

const isBad = (workspace: Workspace) => workspace.read('value.txt').startsWith('broken');

/** Judges what is checked out until the answer has no commit to test. */
async function judgeAll(workspace: Workspace, client: Client, first: string): Promise<string> {
  let answer = first;
  for (let steps = 0; answer.startsWith('Test '); steps++) {
    expect(steps).toBeLessThan(10);
    const [, commit = ''] = /^Test ([0-9a-f]{10}) /.exec(answer) ?? [];
    expect(await workspace.output(['rev-parse', '--short=10', 'HEAD'])).toBe(commit);
    answer = await workspace.callText(client, 'git_bisect', { action: isBad(workspace) ? 'bad' : 'good' });
  }
  return answer;
}

test('git_bisect asks for a verdict per step until it names the first bad commit, and reset goes back', async () => {
  using workspace = await template.copy();
  workspace.put('value.log', 'ignored\n');
  await using client = await workspace.connect({ history: true });
  const before = await workspace.state();
  const started = await workspace.callText(client, 'git_bisect', { action: 'start', good: 'HEAD~11' });
  expect(started).toMatch(
    /^Test [0-9a-f]{10} \S+ Ada: step \d+\nThis commit is checked out; 11 commits can be the first bad one, about 4 steps; test it, then pass the action "good", "bad" or "skip"$/,
  );
  expect(await workspace.callText(client, 'git_status')).toContain('In progress: bisect');
  const found = await judgeAll(workspace, client, started);
  expect(found).toMatch(
    /^First bad commit: [0-9a-f]{10} \S+ Ada: step 8\nthe action "reset" goes back to main$/,
  );
  const log = await workspace.callText(client, 'git_bisect', { action: 'log' });
  expect(log).toMatch(/^bad: [0-9a-f]{10} step 12\ngood: [0-9a-f]{10} first\n[^]*\d verdicts$/);
  const ended = await workspace.callText(client, 'git_bisect', { action: 'reset' });
  expect(ended).toMatch(
    /^main is at [0-9a-f]{10}; clean; to continue the bisect: action "start" with good [0-9a-f, ]+ and bad \w+$/,
  );
  expect(await workspace.state()).toBe(before);
  const [, good = '', bad] = /good (.*) and bad (\w+)/.exec(ended) ?? [];
  const again = { action: 'start', good: good.split(', '), bad };
  expect(await workspace.callText(client, 'git_bisect', again)).toBe(found);
});

test('git_bisect limits the commits by path, skips, and judges another revision', async () => {
  using workspace = await template.copy();
  await using client = await workspace.connect({ history: true });
  const bisect = (args: object) => workspace.callText(client, 'git_bisect', { ...args });
  const ofOther = await bisect({ action: 'start', good: 'main~11', paths: ['other.txt'] });
  expect(ofOther).toMatch(/^Test \w+ \S+ Ada: step (6|9)\n/);
  await bisect({ action: 'reset' });
  await bisect({ action: 'start', good: 'main~11', bad: 'main' });
  for (const revision of ['main~1', 'main~2', 'main~3', 'main~4', 'main~5'])
    await bisect({ action: 'skip', revision });
  expect(await bisect({ action: 'good', revision: 'main~6' })).toMatch(
    /^Only skipped commits are left; the first bad one is one of 6 commits:\n(\w+ \S+ Ada: step \d+\n){6}the action "reset" goes back to main$/,
  );
});

test('git_bisect continues what git has started, and leaves what git continues', async () => {
  using workspace = await template.copy();
  await workspace.git.raw(['bisect', 'start', 'HEAD', 'HEAD~11']);
  await using client = await workspace.connect({ history: true });
  const next = await workspace.callText(client, 'git_bisect', { action: isBad(workspace) ? 'bad' : 'good' });
  expect(next).toMatch(/^Test /);
  await workspace.git.raw(['bisect', isBad(workspace) ? 'bad' : 'good']);
  const step = await workspace.callText(client, 'git_bisect', { action: 'next' });
  expect(await judgeAll(workspace, client, step)).toContain('Ada: step 8\n');
  await workspace.git.raw(['bisect', 'reset']);
  expect(await workspace.output(['symbolic-ref', '--short', 'HEAD'])).toBe('main');
});

test('git_bisect overwrites no local change, keeps the verdict, and goes on with next', async () => {
  using workspace = await template.copy();
  await using client = await workspace.connect({ history: true });
  const bisect = (args: object) => workspace.callText(client, 'git_bisect', { ...args });
  const before = await workspace.state();
  workspace.put('value.txt', 'mine\n');
  expect(await bisect({ action: 'start', good: 'HEAD~11' })).toBe(
    'ERROR Local changes would be overwritten: commit, stash or restore them first',
  );
  expect(existsSync(join(workspace.root, '.git/BISECT_LOG'))).toBe(false);
  await workspace.git.checkout(['--', 'value.txt']);
  expect(await workspace.state()).toBe(before);
  await bisect({ action: 'start', good: 'HEAD~11' });
  const verdict = { action: isBad(workspace) ? 'bad' : 'good' };
  workspace.put('value.txt', 'mine\n');
  expect(await bisect(verdict)).toMatch(
    /^ERROR Local changes would be overwritten: .*; the verdict is recorded: then continue with the action "next", which checks out the commit to test$/,
  );
  expect(workspace.read('value.txt')).toBe('mine\n');
  expect(await bisect({ action: 'good' })).toMatch(
    /^ERROR The commit to test, \w+, is not checked out: the action "next"/,
  );
  await workspace.git.checkout(['--', 'value.txt']);
  expect(await judgeAll(workspace, client, await bisect({ action: 'next' }))).toContain('step 8\n');
});

test('git_bisect refuses commits that it cannot search between, and changes nothing', async () => {
  using workspace = await template.copy();
  await using client = await workspace.connect({ history: true });
  const bisect = (args: object) => workspace.callText(client, 'git_bisect', { ...args });
  const before = await workspace.state();
  for (const [args, error] of [
    [{ action: 'start' }, /^ERROR Missing good/],
    [{ action: 'start', good: 'HEAD', bad: 'HEAD~3' }, /^ERROR The good commit \w+ is not in the history/],
    [{ action: 'start', good: 'HEAD' }, /^ERROR The same commit is good and bad/],
    [
      { action: 'start', good: 'HEAD~3', paths: ['nowhere'] },
      /^ERROR No commit is left to test: no commit after the good ones/,
    ],
    [{ action: 'start', good: 'nowhere' }, /^ERROR No such revision: "nowhere"/],
    [{ action: 'start', good: 'HEAD~3', revision: 'HEAD' }, /^ERROR Invalid revision: start takes no/],
    [{ action: 'good', bad: 'HEAD' }, /^ERROR Invalid bad: good takes no bad/],
    [{ action: 'good' }, /^ERROR No bisect is in progress/],
    [{ action: 'reset' }, /^ERROR No bisect is in progress/],
    [{ action: 'log' }, /^No bisect is in progress$/],
  ] as const) {
    expect(await bisect(args), JSON.stringify(args)).toMatch(error);
    expect(await workspace.state()).toBe(before);
    expect(existsSync(join(workspace.root, '.git/BISECT_LOG')), JSON.stringify(args)).toBe(false);
  }
});

test.each(['--force', '-', '--pathspec-from-file=/etc/passwd', '$(touch x)', 'main --'])(
  'the reset of a bisect whose state names %s is refused',
  async (start) => {
    using workspace = await template.copy();
    await workspace.git.raw(['bisect', 'start', 'HEAD', 'HEAD~11']);
    writeFileSync(join(workspace.root, '.git/BISECT_START'), `${start}\n`);
    await using client = await workspace.connect({ history: true });
    const before = await workspace.state();
    expect(await workspace.callText(client, 'git_bisect', { action: 'reset' })).toMatch(
      /^ERROR Invalid revision: /,
    );
    expect(await workspace.state()).toBe(before);
    expect(await workspace.callText(client, 'git_bisect', { action: 'reset', revision: 'main' })).toMatch(
      /^main is at /,
    );
  },
);

test('a bisect that is cancelled while git checks out is undone', async () => {
  using workspace = await template.copy();
  const before = await workspace.state();
  const hang = `if [ "$1" = checkout ] && [ ! -e '${workspace.marks}/started' ]; then
  "$git" "$@"
  touch '${workspace.marks}/started'
  while :; do sleep 0.05; done
fi`;
  const environment = { PATH: workspace.wrapGit(hang) };
  await using client = await workspace.connect({ history: true, environment });
  const stop = new AbortController();
  const started = workspace.started();
  const call = client.callTool('git_bisect', { action: 'start', good: 'HEAD~11' }, { signal: stop.signal });
  await started;
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  // It waits for the same lock.
  await client.callTool('git_integrate', { action: 'continue' });
  expect(await workspace.state()).toBe(before);
  expect(existsSync(join(workspace.root, '.git/BISECT_LOG'))).toBe(false);
});
