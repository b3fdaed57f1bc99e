import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_add stages files, directories and deletions', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  workspace.put('a.txt', 'changed\n');
  workspace.put('sub/c.txt', 'c\n');
  await workspace.git.rmKeepLocal('b.txt');
  await workspace.git.reset([]);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_add', { files: ['a.txt', 'sub'] })).toMatch(/^Staged \d file/);
  expect(await workspace.output(['diff', '--cached', '--name-status'])).toBe('M\ta.txt\nA\tsub/c.txt');
  const { rmSync } = await import('node:fs');
  rmSync(`${workspace.root}/b.txt`);
  expect(await workspace.callText(client, 'git_add', { files: ['.'] })).toMatch(/^Staged \d file/);
  expect(await workspace.output(['diff', '--cached', '--name-status'])).toContain('D\tb.txt');
});

test('git_add stages nothing if one of the files is missing or ignored', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
  workspace.put('a.txt', 'changed\n');
  workspace.put('x.log', '');
  await using client = await workspace.connect();
  const before = await workspace.state();
  expect(await workspace.callText(client, 'git_add', { files: ['a.txt', 'missing.txt'] })).toBe(
    'ERROR No such file: "missing.txt"',
  );
  expect(await workspace.callText(client, 'git_add', { files: ['a.txt', 'x.log'] })).toBe(
    'ERROR Ignored by .gitignore, so nothing was staged: "x.log"',
  );
  expect(await workspace.state()).toBe(before);
});
