import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('unstages everything and keeps the files', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  workspace.git('add', 'a.txt');
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_reset')).toBe('Unstaged everything');
  expect(workspace.git('status', '--porcelain')).toBe(' M a.txt');
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('moves the branch: soft keeps the index, mixed the files, hard nothing', async () => {
  using workspace = new Workspace({ 'a.txt': '1\n' });
  const first = workspace.git('rev-parse', 'HEAD');
  await using client = await workspace.connect();
  for (const [mode, status, content] of [
    ['soft', 'M  a.txt', '2\n'],
    ['mixed', ' M a.txt', '2\n'],
    ['hard', '', '1\n'],
  ]) {
    workspace.git('reset', '-q', '--hard', first);
    workspace.commit('second', { 'a.txt': '2\n' });
    expect(await workspace.say(client, 'git_reset', { mode, revision: 'HEAD~1' })).toBe(`Reset (${mode})`);
    expect(workspace.git('rev-parse', 'HEAD')).toBe(first);
    expect(workspace.git('status', '--porcelain')).toBe(status);
    expect(workspace.read('a.txt')).toBe(content);
  }
});

test('changes nothing where there is no such revision', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await using client = await workspace.connect();
  const before = workspace.state;
  for (const mode of ['soft', 'mixed', 'hard'])
    expect(await workspace.say(client, 'git_reset', { mode, revision: 'nowhere' })).toMatch(/^ERROR /);
  expect(workspace.state).toBe(before);
});
