import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('stages files, directories and deletions', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  workspace.put('a.txt', 'changed\n');
  workspace.put('sub/c.txt', 'c\n');
  workspace.git('rm', '-q', '--cached', 'b.txt');
  workspace.git('reset', '-q');
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_add', { files: ['a.txt', 'sub'] })).toBe('Staged');
  expect(workspace.git('diff', '--cached', '--name-status')).toBe('M\ta.txt\nA\tsub/c.txt');
  const { rmSync } = await import('node:fs');
  rmSync(`${workspace.root}/b.txt`);
  expect(await workspace.say(client, 'git_add', { files: ['.'] })).toBe('Staged');
  expect(workspace.git('diff', '--cached', '--name-status')).toContain('D\tb.txt');
});

test('stages all or nothing', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
  workspace.put('a.txt', 'changed\n');
  workspace.put('x.log', '');
  await using client = await workspace.connect();
  const before = workspace.state;
  expect(await workspace.say(client, 'git_add', { files: ['a.txt', 'missing.txt'] })).toBe(
    'ERROR No such file: "missing.txt"',
  );
  expect(await workspace.say(client, 'git_add', { files: ['a.txt', 'x.log'] })).toBe(
    'ERROR Ignored by .gitignore, so nothing was added',
  );
  expect(workspace.state).toBe(before);
});
