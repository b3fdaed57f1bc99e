import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

/** On main, a merge of `other`, which has three commits; `topic` starts at the second of them. */
const merged = new WorkspaceTemplate({ 'a.txt': 'a\n' }, async (workspace) => {
  await workspace.git.checkoutLocalBranch('other');
  for (const name of ['one', 'two', 'three']) {
    await workspace.commit(name, { [`${name}.txt`]: `${name}\n` });
    if (name === 'two') await workspace.git.branch(['topic']);
  }
  await workspace.git.checkout('topic');
  await workspace.commit('own', { 'own.txt': 'own\n' });
  await workspace.git.checkout('main');
  await workspace.git.branch(['start']);
  await workspace.commit('ours', { 'b.txt': 'b\n' });
  await workspace.git.raw(['merge', '--no-ff', '-m', 'merged', 'other']);
});

const integrate = async (workspace: Workspace, args: Record<string, unknown>) => {
  await using client = await workspace.connect();
  return await workspace.callText(client, 'git_integrate', args);
};

const files = async (workspace: Workspace) => (await workspace.output(['ls-files'])).split('\n');
const subjects = async (workspace: Workspace, revision = 'HEAD') =>
  (await workspace.output(['log', '--format=%s', '--topo-order', revision])).split('\n');

test('git_integrate with mainline reverts a merge, and picks one', async () => {
  using workspace = await merged.copy();
  expect(await integrate(workspace, { action: 'revert', revision: 'HEAD' })).toBe(
    'ERROR The commit is a merge: set mainline to the number of the parent to compare it with, usually 1',
  );
  expect(await integrate(workspace, { action: 'revert', revision: 'HEAD', mainline: 1 })).toMatch(/^Done; /);
  expect(await files(workspace)).toEqual(['a.txt', 'b.txt']);
  await workspace.git.checkout('start');
  expect(await integrate(workspace, { action: 'cherry-pick', revision: 'main~1', mainline: 1 })).toMatch(
    /^Done; /,
  );
  expect(await files(workspace)).toEqual(['a.txt', 'one.txt', 'three.txt', 'two.txt']);
  expect(await integrate(workspace, { action: 'revert', revision: 'main~1', mainline: 7 })).toBe(
    'ERROR The commit has no parent 7',
  );
});

test('git_integrate picks and reverts the commits of a range', async () => {
  using workspace = await merged.copy();
  await workspace.git.checkout('start');
  expect(await integrate(workspace, { action: 'cherry-pick', revision: 'other~2..other' })).toMatch(
    /^Done; /,
  );
  expect(await subjects(workspace)).toEqual(['three', 'two', 'first']);
  expect(await integrate(workspace, { action: 'revert', revision: 'HEAD~2..HEAD' })).toMatch(/^Done; /);
  expect(await files(workspace)).toEqual(['a.txt']);
  expect(await integrate(workspace, { action: 'revert', revision: 'HEAD..HEAD' })).toBe(
    'ERROR The range contains no commit',
  );
});

test('git_integrate picks and reverts several commits in the given order', async () => {
  using workspace = await merged.copy();
  await workspace.git.checkout('start');
  expect(await integrate(workspace, { action: 'cherry-pick', revision: ['other', 'other~2'] })).toMatch(
    /^Done; /,
  );
  expect(await subjects(workspace)).toEqual(['one', 'three', 'first']);
  expect(await integrate(workspace, { action: 'revert', revision: ['HEAD', 'HEAD~1'] })).toMatch(/^Done; /);
  expect(await files(workspace)).toEqual(['a.txt']);
});

test.each([
  { action: 'merge', revision: ['other', 'topic'] },
  { action: 'rebase', revision: ['other', 'main'] },
  { action: 'cherry-pick', revision: ['other', '--edit'] },
  { action: 'cherry-pick', revision: ['other', 'a..b'] },
  { action: 'cherry-pick', revision: ['other', '^topic'] },
  { action: 'revert', revision: ['HEAD', 'a b'] },
])('git_integrate refuses one of several revisions of %j, and changes nothing', async (args) => {
  using workspace = await merged.copy();
  const before = await workspace.state();
  expect(await integrate(workspace, args)).toMatch(/^ERROR Invalid revision/);
  expect(await workspace.state()).toBe(before);
});

test('git_integrate with onto moves only the commits after the revision', async () => {
  using workspace = await merged.copy();
  await workspace.git.checkout('topic');
  expect(await integrate(workspace, { action: 'rebase', revision: 'other~1', onto: 'start' })).toMatch(
    /^Done; topic is at /,
  );
  expect(await subjects(workspace)).toEqual(['own', 'first']);
});

test('git_integrate with squash stages the changes of a branch, and commits nothing', async () => {
  using workspace = await merged.copy();
  await workspace.git.checkout('start');
  const before = await workspace.git.revparse('HEAD');
  expect(await integrate(workspace, { action: 'merge', revision: 'topic', squash: true })).toMatch(
    /^Done; start is at [0-9a-f]+; staged, not committed$/,
  );
  expect(await workspace.git.revparse('HEAD')).toBe(before);
  expect(await workspace.output(['diff', '--cached', '--name-only'])).toBe('one.txt\nown.txt\ntwo.txt');
});

test('git_integrate with squash lists the conflicts, and says how to go on', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'base\n' });
  await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
  expect(await integrate(workspace, { action: 'merge', revision: 'other', squash: true })).toMatch(
    /^Stopped at 1 conflict; .*\nUU a\.txt\nResolve and stage these, then commit$/,
  );
});

test.each([
  { action: 'cherry-pick', revision: '-n..other' },
  { action: 'cherry-pick', revision: 'other...main' },
  { action: 'cherry-pick', revision: '..main' },
  { action: 'revert', revision: 'a..b..c' },
  { action: 'merge', revision: 'start..main' },
  { action: 'rebase', revision: 'start', onto: '--exec=touch x' },
  { action: 'rebase', revision: 'start', onto: '-i' },
  { action: 'rebase', revision: 'start', onto: 'a...b' },
  { action: 'merge', revision: 'start', onto: 'main' },
  { action: 'merge', revision: 'start', mainline: 1 },
  { action: 'rebase', revision: 'start', squash: true },
  { action: 'revert', revision: 'HEAD', fast_forward: 'only' },
  { action: 'merge', revision: 'start', squash: true, fast_forward: 'never' },
])('git_integrate refuses %j, and changes nothing', async (args) => {
  using workspace = await merged.copy();
  const before = await workspace.state();
  expect(await integrate(workspace, args)).toMatch(/^ERROR Invalid /);
  expect(await workspace.state()).toBe(before);
});

test('a range that is cancelled in the middle of its commits is undone', async () => {
  using workspace = await merged.copy();
  await workspace.git.checkout('start');
  workspace.put('own.txt', 'own\n');
  const before = await workspace.state();
  const path = workspace.wrapGit(
    `if [ "$1" = cherry-pick ] && [ "$2" != --abort ] && [ "$2" != --quit ]; then
  "$git" cherry-pick other~2 other~1
  printf 'three\\n' > three.txt
  touch '${workspace.marks}/started'
  while :; do sleep 0.05; done
fi`,
  );
  await using client = await workspace.connect({ environment: { PATH: path } });
  const stop = new AbortController();
  const started = workspace.started();
  const args = { action: 'cherry-pick', revision: 'start..other' };
  const call = client.callTool('git_integrate', args, { signal: stop.signal });
  await started;
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  rmSync(join(workspace.marks, 'started'));
  // A write waits for the one before it.
  await client.callTool('git_create_branch', { branch_name: 'after' });
  await workspace.git.deleteLocalBranch('after', true);
  expect(await workspace.state()).toBe(before);
  expect(['one.txt', 'three.txt', 'own.txt'].map((name) => existsSync(join(workspace.root, name)))).toEqual([
    false,
    false,
    true,
  ]);
});
