import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const untrack = (workspace: Workspace, client: Parameters<Workspace['callText']>[0], files: string[]) =>
  workspace.callText(client, 'git_add', { files, untrack: true });

test('git_add with untrack refuses to lose what is only staged, where the file is gone or a directory', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'staged\n');
  workspace.put('new.txt', 'staged\n');
  await workspace.git.add(['a.txt', 'new.txt']);
  for (const path of ['a.txt', 'new.txt']) rmSync(join(workspace.root, path));
  workspace.put('new.txt/inside', 'x\n');
  await using client = await workspace.connect();
  const before = await workspace.output(['ls-files', '--stage']);
  for (const path of ['a.txt', 'new.txt'])
    expect(await untrack(workspace, client, [path])).toBe(
      `ERROR What is staged is neither in HEAD nor in the file, and would be lost: "${path}"; commit or unstage it first`,
    );
  expect(await workspace.output(['ls-files', '--stage'])).toBe(before);
});

test('git_add with untrack of a directory says how to undo it without its staged deletions', async () => {
  using workspace = await Workspace.create({ 'dir/a, b.txt': 'a\n', 'dir/b.txt': 'b\n', 'dir/c.txt': 'c\n' });
  await workspace.git.raw(['rm', '--quiet', 'dir/c.txt']);
  await using client = await workspace.connect();
  const before = await workspace.output(['ls-files', '--stage']);
  expect(await untrack(workspace, client, ['dir'])).toBe(
    'Not tracked from the next commit on; to undo: git_restore with staged and paths "dir/a, b.txt", dir/b.txt',
  );
  await workspace.callText(client, 'git_restore', { paths: ['dir/a, b.txt', 'dir/b.txt'], staged: true });
  expect(await workspace.output(['ls-files', '--stage'])).toBe(before);
});

test('git_add says that a file is outside the sparse checkout', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.raw(['update-index', '--skip-worktree', 'a.txt']);
  await using client = await workspace.connect();
  const answer =
    'ERROR Nothing was changed: a path is outside the sparse checkout, or has the skip-worktree flag';
  expect(await untrack(workspace, client, ['a.txt'])).toBe(answer);
  expect(await workspace.callText(client, 'git_add', { files: ['a.txt'] })).toBe(answer);
});
