import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_restore restores files from the index or from a revision', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n', 'b.txt': 'b\n' });
  await workspace.commit('second', { 'a.txt': '2\n' });
  workspace.put('a.txt', 'changed\n');
  workspace.put('b.txt', 'changed\n');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_restore', { paths: ['a.txt'] })).toMatch(
    /^Restored 1 file; to undo: git_restore with source \w+ and paths a\.txt$/,
  );
  expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['2\n', 'changed\n']);
  expect(await workspace.callText(client, 'git_restore', { paths: ['.'], source: 'HEAD~1' })).toMatch(
    /^Restored 2 files; to undo: git_restore with source \w+ and paths b\.txt$/,
  );
  expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['1\n', 'b\n']);
});

test('git_restore with staged unstages files and keeps their content', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_restore', { paths: ['a.txt'], staged: true })).toBe(
    'Unstaged 1 file',
  );
  expect(await workspace.output(['status', '--porcelain'])).toBe(' M a.txt');
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('git_restore restores nothing if one path is not tracked', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_restore', { paths: ['a.txt', 'missing.txt'] })).toBe(
    'ERROR Not a tracked file: "missing.txt"',
  );
  expect(workspace.read('a.txt')).toBe('changed\n');
});
