import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('unstages everything and keeps the files', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_reset')).toBe('Unstaged everything');
  expect(await workspace.output(['status', '--porcelain'])).toBe(' M a.txt');
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('moves the branch: soft keeps the index, mixed the files, hard nothing', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  const first = await workspace.git.revparse('HEAD');
  await using client = await workspace.connect();
  for (const [mode, status, content] of [
    ['soft', 'M  a.txt', '2\n'],
    ['mixed', ' M a.txt', '2\n'],
    ['hard', '', '1\n'],
  ]) {
    await workspace.git.reset(['--hard', first]);
    await workspace.commit('second', { 'a.txt': '2\n' });
    expect(await workspace.say(client, 'git_reset', { mode, revision: 'HEAD~1' })).toBe(`Reset (${mode})`);
    expect(await workspace.git.revparse('HEAD')).toBe(first);
    expect(await workspace.output(['status', '--porcelain'])).toBe(status);
    expect(workspace.read('a.txt')).toBe(content);
  }
});

test('changes nothing where there is no such revision', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await using client = await workspace.connect();
  const before = await workspace.state();
  for (const mode of ['soft', 'mixed', 'hard'])
    expect(await workspace.say(client, 'git_reset', { mode, revision: 'nowhere' })).toMatch(/^ERROR /);
  expect(await workspace.state()).toBe(before);
});
