import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const integrate = (workspace: Workspace, client: Parameters<Workspace['callText']>[0], args: object) =>
  workspace.callText(client, 'git_integrate', { ...args });

test('git_integrate does not advise to continue a pick that has become empty', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('other', { 'b.txt': 'same\n' }, { 'b.txt': 'same\n' });
  await using client = await workspace.connect();
  expect(await integrate(workspace, client, { action: 'cherry-pick', revision: 'other' })).toMatch(
    /^Stopped: the cherry-pick is in progress; main is at \w+\nAt \w+ \S+ Ada: theirs\nNo change is left of this commit: skip or abort$/,
  );
  expect(await integrate(workspace, client, { action: 'skip' })).toMatch(/^Done; main is at/);
});

test('git_integrate says that a revert of what is reverted has nothing to do', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.commit('change', { 'a.txt': 'b\n' });
  await workspace.commit('change back', { 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  expect(await integrate(workspace, client, { action: 'revert', revision: 'HEAD~1' })).toMatch(
    /^Nothing to do; main is at \w+$/,
  );
});

test('git_integrate merges in the middle of a bisect, and says how to undo it', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('other', { 'b.txt': 'b\n' }, { 'c.txt': 'c\n' });
  const before = await workspace.git.revparse('HEAD');
  await workspace.git.raw(['bisect', 'start']);
  await using client = await workspace.connect();
  const answer = await integrate(workspace, client, { action: 'merge', revision: 'other' });
  expect(answer).toBe(
    `Done; main is at ${await workspace.git.revparse(['--short=10', 'HEAD'])}; to undo: git_reset with mode "keep" and revision ${before.slice(0, 10)}`,
  );
});

test('git_integrate names the other branches that a rebase has moved', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('other', { 'b.txt': 'b\n' }, { 'c.txt': 'c\n' });
  await workspace.git.branch(['middle']);
  await workspace.commit('last', { 'd.txt': 'd\n' });
  await workspace.git.addConfig('rebase.updateRefs', 'true');
  const before = await workspace.output(['for-each-ref', 'refs/heads']);
  await using client = await workspace.connect();
  const answer = await integrate(workspace, client, { action: 'rebase', revision: 'other' });
  const [, main] =
    /git_reset with mode "keep" and revision (\w+); rebase\.updateRefs has also moved/.exec(answer) ?? [];
  const [, middle] =
    /moved middle from (\w+): git_create_branch with move and the former commit/.exec(answer) ?? [];
  await client.callTool('git_reset', { mode: 'keep', revision: main });
  await client.callTool('git_create_branch', { branch_name: 'middle', base_branch: middle, move: true });
  expect(await workspace.output(['for-each-ref', 'refs/heads'])).toBe(before);
});

test.each(['merge', 'cherry-pick'])('a checkout does not end a %s silently', async (operation) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
  await workspace.git.raw([operation, 'other']).catch(() => {});
  await workspace.git.raw(['checkout', '--ours', 'a.txt']);
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  const refused = `ERROR A ${operation} is in progress: continue or abort it first`;
  expect(await workspace.callText(client, 'git_checkout', { branch_name: 'main' })).toBe(refused);
  const create = { branch_name: 'new', checkout: true };
  expect(await workspace.callText(client, 'git_create_branch', create)).toBe(refused);
  expect(await integrate(workspace, client, { action: 'abort' })).toMatch(/^Done; /);
});

test('git_stash says how to save a stash again with the message by which it was listed', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const stash = (args: object) => workspace.callText(client, 'git_stash', { ...args });
  for (const message of ['On main: first\nsecond line', 'another text']) {
    workspace.put('a.txt', `${message}\n`);
    const commit = await workspace.output(['stash', 'create', message]);
    await workspace.git.raw(['stash', 'store', '--message', message.split('\n')[0]!, commit]);
    await workspace.git.checkout(['--', '.']);
    const before = await stash({ action: 'list' });
    const answer = await stash({ action: 'drop' });
    const [, hash, , named] = /"save" with commit (\w+)( and message "(.*)")? puts/.exec(answer) ?? [];
    await stash({ action: 'save', commit: hash, message: named });
    expect(await stash({ action: 'list' })).toBe(before);
  }
});
