import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('list_directory_with_sizes sorts by name or by size and adds the total', async () => {
  using workspace = new Workspace({ 'a.txt': 'a', 'b.txt': 'bbb', 'sub/c.txt': 'c' });
  symlinkSync('a.txt', join(workspace.root, 'link'));
  await using client = await workspace.connect();
  const list = (args: object) => workspace.say(client, 'list_directory_with_sizes', { path: '.', ...args });
  const sum = '\n\n2 files, 1 directory, 1 other, 4 bytes in files';
  expect(await list({})).toEqual([`[FILE] a.txt  1\n[FILE] b.txt  3\n[SYMLINK] link\n[DIR] sub${sum}`]);
  expect(await list({ sortBy: 'size' })).toEqual([
    `[FILE] b.txt  3\n[FILE] a.txt  1\n[SYMLINK] link\n[DIR] sub${sum}`,
  ]);
  expect((await list({ sortBy: 'age' }))[0]).toBe('ERROR');
});

test('list_directory_with_sizes continues after the previous page', async () => {
  using workspace = new Workspace(
    Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`f${index}`, 'x'.repeat(index % 7)])),
  );
  await using client = await workspace.connect();
  const list = async (skip: number) =>
    (await workspace.say(client, 'list_directory_with_sizes', { path: '.', sortBy: 'size', skip }))[0]!;
  const first = (await list(0)).split('\n');
  expect(first[1_000]).toBe('… 1500 entries in all; continue with skip 1000');
  const second = (await list(1_000)).split('\n');
  const names = [...first.slice(0, 1_000), ...second.slice(0, 500)];
  expect(new Set(names).size).toBe(1_500);
});
