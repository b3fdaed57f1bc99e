import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_checkout checks out a branch, and detaches HEAD at any other revision', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  await workspace.git.branch(['topic']);
  await workspace.commit('second', { 'a.txt': '2\n' });
  await using client = await workspace.connect();
  const checkout = (branch_name: string) => workspace.callText(client, 'git_checkout', { branch_name });
  expect(await checkout('topic')).toMatch(/^On branch "topic" at [0-9a-f]{10}; clean$/);
  expect(workspace.read('a.txt')).toBe('1\n');
  workspace.put('new.txt', 'new\n');
  expect(await checkout('main~1')).toMatch(/^HEAD is detached at "main~1", [0-9a-f]{10}; 1 untracked$/);
  const second = await workspace.output(['rev-parse', '--short=10', 'main']);
  expect(await checkout('main')).toBe(`On branch "main" at ${second}; 1 untracked`);
});

test('git_checkout overwrites no local changes', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  await workspace.git.branch(['topic']);
  await workspace.commit('second', { 'a.txt': '2\n' });
  workspace.put('a.txt', 'mine\n');
  await using client = await workspace.connect();
  const before = await workspace.state();
  const checkout = (branch_name: string) => workspace.callText(client, 'git_checkout', { branch_name });
  expect(await checkout('topic')).toBe(
    'ERROR Local changes would be overwritten: commit, stash or restore them first',
  );
  expect(await checkout('nowhere')).toBe('ERROR No such branch or revision: "nowhere"');
  expect(await workspace.state()).toBe(before);
  expect(workspace.read('a.txt')).toBe('mine\n');
});

test('leaving a detached HEAD names its commit, if no branch or tag has it', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const left = (text: string) =>
    /; HEAD was at (\w+), a commit that is on no branch: git_create_branch/.exec(text)?.[1];
  const calls = [
    ['git_checkout', { branch_name: 'main' }],
    ['git_create_branch', { branch_name: 'topic', base_branch: 'main', checkout: true }],
  ] as const;
  for (const [tool, args] of calls) {
    await workspace.git.checkout(['-q', '--detach', 'main']);
    expect(left(await workspace.callText(client, tool, args))).toBeUndefined();
    await workspace.git.checkout(['-q', '--detach', 'main']);
    await workspace.git.raw(['branch', '-q', '-D', 'topic']).catch(() => {});
    const lost = await workspace.commit('on no branch');
    const hash = left(await workspace.callText(client, tool, args));
    expect(lost).toMatch(new RegExp(`^${hash!.slice(0, 7)}`));
    await workspace.callText(client, 'git_create_branch', { branch_name: 'kept', base_branch: hash });
    expect(await workspace.output(['log', '-1', '--format=%s', 'kept'])).toBe('on no branch');
    await workspace.git.raw(['branch', '-q', '-D', 'kept']);
  }
});

test('git_checkout overwrites no ignored file', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
  await workspace.git.checkoutLocalBranch('topic');
  workspace.put('x.log', 'tracked\n');
  await workspace.git.add(['--force', 'x.log']);
  await workspace.git.commit('track it');
  await workspace.git.checkout('main');
  workspace.put('x.log', 'own\n');
  await using client = await workspace.connect();
  const call = (tool: string, args: object) => workspace.callText(client, tool, { ...args });
  const ignored = 'ERROR Ignored files would be overwritten: "x.log"; move them away first';
  const untracked =
    'ERROR An untracked file would be overwritten: "x.log"; move it away, or stash the untracked files too';
  expect(await call('git_checkout', { branch_name: 'topic' })).toBe(untracked);
  expect(await call('git_create_branch', { branch_name: 'n', base_branch: 'topic', checkout: true })).toBe(
    untracked,
  );
  for (const action of ['merge', 'rebase', 'cherry-pick'])
    expect(await call('git_integrate', { action, revision: 'topic' }), action).toBe(ignored);
  expect(await call('git_reset', { mode: 'keep', revision: 'topic' })).toBe(untracked);
  expect(workspace.read('x.log')).toBe('own\n');
  expect(await workspace.output(['status', '--porcelain=v2', '--branch'])).toContain('branch.head main');
});
