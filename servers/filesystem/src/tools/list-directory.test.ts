import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('lists what is there, by name and kind', async () => {
  using workspace = new Workspace({ 'b.txt': '', 'sub/c.txt': '' });
  symlinkSync('b.txt', join(workspace.root, 'a-link'));
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'list_directory', { path: '.' })).toEqual([
    '[SYMLINK] a-link\n[FILE] b.txt\n[DIR] sub',
  ]);
  expect(await workspace.say(client, 'list_directory', { path: 'sub' })).toEqual(['[FILE] c.txt']);
});

test('F55 forges no line for a name with a line break, and tells the exact name in the structured result', async () => {
  using workspace = new Workspace({ 'a\n[DIR] b': '' });
  await using client = await workspace.connect();
  const { content, structuredContent } = await client.callTool('list_directory', { path: '.' });
  expect(content).toMatchObject([{ text: '[FILE] a\\n[DIR] b' }]);
  expect(structuredContent).toMatchObject({ entries: [{ name: 'a\n[DIR] b', kind: 'file' }] });
});

test('F82 gives many entries page by page', async () => {
  const names = Array.from({ length: 2_500 }, (_, index) => `f${String(index).padStart(4, '0')}`);
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, ''])));
  await using client = await workspace.connect();
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { structuredContent } = await client.callTool('list_directory', {
      path: '.',
      ...(cursor && { cursor }),
    });
    const page = structuredContent as { entries: { name: string }[]; nextCursor?: string; total: number };
    expect(page.total).toBe(2_500);
    seen.push(...page.entries.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual(names);
});
