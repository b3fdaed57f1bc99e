import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('goes to a branch, and to another revision with HEAD detached', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  await workspace.git.branch(['topic']);
  await workspace.commit('second', { 'a.txt': '2\n' });
  await using client = await workspace.connect();
  const checkout = (branch_name: string) => workspace.say(client, 'git_checkout', { branch_name });
  expect(await checkout('topic')).toBe('On branch "topic"');
  expect(workspace.read('a.txt')).toBe('1\n');
  expect(await checkout('main~1')).toBe('HEAD is detached at "main~1"');
  expect(await checkout('main')).toBe('On branch "main"');
});

test('overwrites no changes', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  await workspace.git.branch(['topic']);
  await workspace.commit('second', { 'a.txt': '2\n' });
  workspace.put('a.txt', 'mine\n');
  await using client = await workspace.connect();
  const before = await workspace.state();
  const checkout = (branch_name: string) => workspace.say(client, 'git_checkout', { branch_name });
  expect(await checkout('topic')).toBe(
    'ERROR Local changes would be overwritten: commit, stash or restore them first',
  );
  expect(await checkout('nowhere')).toBe('ERROR No such branch or revision: "nowhere"');
  expect(await workspace.state()).toBe(before);
  expect(workspace.read('a.txt')).toBe('mine\n');
});
