import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_reset unstages everything and keeps the files', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_reset')).toBe('Unstaged everything');
  expect(await workspace.output(['status', '--porcelain'])).toBe(' M a.txt');
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('git_reset moves the branch: soft keeps the index, mixed keeps the files, hard keeps neither', async () => {
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
    const second = await workspace.git.revparse(['--short=8', 'HEAD']);
    expect(await workspace.callText(client, 'git_reset', { mode, revision: 'HEAD~1' })).toBe(`was ${second}`);
    expect(await workspace.git.revparse('HEAD')).toBe(first);
    expect(await workspace.output(['status', '--porcelain'])).toBe(status);
    expect(workspace.read('a.txt')).toBe(content);
  }
});

test('git_reset changes nothing if the revision is unknown', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await using client = await workspace.connect();
  const before = await workspace.state();
  for (const mode of ['soft', 'mixed', 'hard'])
    expect(await workspace.callText(client, 'git_reset', { mode, revision: 'nowhere' })).toMatch(/^ERROR /);
  expect(await workspace.state()).toBe(before);
});
