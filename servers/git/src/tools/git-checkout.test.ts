import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_checkout checks out a branch, and detaches HEAD at any other revision', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  await workspace.git.branch(['topic']);
  await workspace.commit('second', { 'a.txt': '2\n' });
  await using client = await workspace.connect();
  const checkout = (branch_name: string) => workspace.callText(client, 'git_checkout', { branch_name });
  expect(await checkout('topic')).toBe('On branch "topic"');
  expect(workspace.read('a.txt')).toBe('1\n');
  expect(await checkout('main~1')).toBe('HEAD is detached at "main~1"');
  expect(await checkout('main')).toBe('On branch "main"');
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
