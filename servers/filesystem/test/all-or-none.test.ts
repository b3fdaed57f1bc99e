import { execFileSync } from 'node:child_process';
import { linkSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const edits = [{ oldText: 'one', newText: 'two' }];

async function openWorkspace(names: readonly string[]) {
  const workspace = new Workspace(Object.fromEntries(names.map((name) => [name, 'one'])));
  const client = await workspace.connect();
  return {
    workspace,
    edit: async (args: object) =>
      (await workspace.say(client, 'edit_file', { edits, glob: '*.txt', ...args })).join('\n'),
    inode: (name: string) => statSync(join(workspace.root, name)).ino,
    link: (name: string, other: string) => linkSync(join(workspace.root, name), join(workspace.root, other)),
  };
}

test('after an edit of several files that fails, each file is the same one, with its hard links', async (context) => {
  const { workspace, edit, inode, link } = await openWorkspace(['a.txt', 'z.txt']);
  using _ = workspace;
  link('a.txt', 'other');
  const immutable = join(workspace.root, 'z.txt');
  try {
    execFileSync('chattr', ['+i', immutable], { stdio: 'ignore' });
  } catch {
    context.skip('Requires root and a file system with the immutable attribute');
  }
  try {
    const before = inode('a.txt');
    expect(await edit({})).toMatch(/^ERROR\nNothing was changed\. Permission denied: "z\.txt"$/);
    expect([inode('a.txt'), inode('other')]).toEqual([before, before]);
    expect(workspace.read('a.txt')).toBe('one');
    expect(readdirSync(workspace.root).sort()).toEqual(['a.txt', 'other', 'z.txt']);
  } finally {
    execFileSync('chattr', ['-i', immutable]);
  }
});

test('hard links that one call edits stay links of each other, and only the others are counted', async () => {
  const { workspace, edit, inode, link } = await openWorkspace(['a.txt']);
  using _ = workspace;
  link('a.txt', 'b.txt');
  expect(await edit({})).toBe(
    '1 a.txt\n1 b.txt\nReplaced 2 occurrences in 2 files\nUndo: edit_file with oldText and newText exchanged',
  );
  expect(inode('a.txt')).toBe(inode('b.txt'));
  link('a.txt', 'other');
  expect(await edit({ edits: [{ oldText: 'two', newText: 'one' }] })).toContain(
    'Other hard links, which keep the old content: 1',
  );
  expect(workspace.read('other')).toBe('two');
  expect(readdirSync(workspace.root).sort()).toEqual(['a.txt', 'b.txt', 'other']);
});
