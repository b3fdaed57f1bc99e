import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('list_directory returns the name and the kind of each entry', async () => {
  using workspace = new Workspace({ 'b.txt': '', 'sub/c.txt': '' });
  symlinkSync('b.txt', join(workspace.root, 'a-link'));
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'list_directory', { path: '.' })).toEqual([
    '[SYMLINK] a-link\n[FILE] b.txt\n[DIR] sub\n3 entries',
  ]);
  expect(await workspace.say(client, 'list_directory', { path: 'sub' })).toEqual(['[FILE] c.txt\n1 entry']);
});

test('a name with a line break is escaped and forges no line', async () => {
  using workspace = new Workspace({ 'a\n[DIR] b': '' });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'list_directory', { path: '.' })).toEqual([
    '[FILE] a\\n[DIR] b\n1 entry',
  ]);
  expect(await workspace.say(client, 'read_text_file', { path: 'a\\n[DIR] b' })).toEqual(['']);
});

test('a large directory is listed page by page', async () => {
  const names = Array.from({ length: 2_500 }, (_, index) => `f${String(index).padStart(4, '0')}`);
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, ''])));
  await using client = await workspace.connect();
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const [text = ''] = await workspace.say(client, 'list_directory', {
      path: '.',
      ...(cursor && { cursor }),
    });
    const lines = text.split('\n');
    seen.push(...lines.flatMap((line) => /^\[FILE\] (.*)/.exec(line)?.[1] ?? []));
    cursor = /^… 2500 entries in all; continue with cursor "(.*)"$/.exec(lines.at(-1)!)?.[1];
  } while (cursor);
  expect(seen).toEqual(names);
});
