import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_status reports HEAD, and the staged, changed, renamed and untracked files', async () => {
  using workspace = await Workspace.create({
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'c.txt': 'some\nlines\nof text\n',
  });
  await using client = await workspace.connect();
  const head = await workspace.git.revparse('HEAD');
  expect(await workspace.callText(client, 'git_status')).toBe(
    `On main at ${head.slice(0, 10)}\nNothing to commit, the work tree is clean`,
  );
  workspace.put('a.txt', 'staged\n');
  await workspace.git.add('a.txt');
  workspace.put('a.txt', 'changed\n');
  await workspace.git.mv('c.txt', 'd.txt');
  await workspace.git.rm('b.txt');
  workspace.put('new/e.txt', '');
  expect(await workspace.callText(client, 'git_status')).toBe(
    [
      `On main at ${head.slice(0, 10)}`,
      'Changed files: 4',
      'MM a.txt',
      'D  b.txt',
      'R  c.txt -> d.txt',
      '?? new/e.txt',
    ].join('\n'),
  );
});

test('git_status reports how far the branch is from its upstream, and the number of stashes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.branch(['upstream']);
  await workspace.git.branch(['--set-upstream-to=upstream']);
  await workspace.commit('second');
  workspace.put('a.txt', 'b\n');
  await workspace.git.stash();
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_status')).toContain(
    ', 1 ahead and 0 behind upstream\nStashes: 1\n',
  );
});

test('git_status refuses an invalid cursor', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_status', { cursor: '-1' })).toBe(
    'ERROR Invalid cursor: "-1"; expected the cursor of the previous page',
  );
});
