import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const files = {
  'a.txt': '',
  'src/b.ts': '',
  'src/deep/c.ts': '',
  'dist/d.js': '',
  'node_modules/e/index.js': '',
  '.gitignore': 'dist/\n*.log\n',
  'x.log': '',
};

async function tree(contents: Record<string, string>, args: object = {}): Promise<string[]> {
  using workspace = new Workspace(contents);
  symlinkSync('..', join(workspace.root, 'up'));
  await using client = await workspace.connect();
  const said = await workspace.say(client, 'directory_tree', { path: '.', ...args });
  return said.map((text) => text.replace(/\n\d+ entries$/, ''));
}

test('directory_tree ends with the number of entries', async () => {
  using workspace = new Workspace({ 'a/b': '', c: '' });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'directory_tree', { path: '.' })).toEqual(['a/\n b\nc\n3 entries']);
});

test('directory_tree omits ignored files and does not follow links', async () => {
  expect(await tree(files)).toEqual([
    '.gitignore\na.txt\nnode_modules/ … ignored\nsrc/\n b.ts\n deep/\n  c.ts\nup (symlink)',
  ]);
  expect(await tree(files, { includeIgnored: true })).toEqual([
    '.gitignore\na.txt\ndist/\n d.js\nnode_modules/\n e/\n  index.js\nsrc/\n b.ts\n deep/\n  c.ts\n' +
      'up (symlink)\nx.log',
  ]);
});

test('directory_tree stops at depth and limit, and lists upper levels first', async () => {
  const note = (entries: number) => `\nIncomplete: ${entries} entries shown; … marks omissions`;
  const excludePatterns = ['node_modules', 'up', '.gitignore'];
  expect(await tree(files, { excludePatterns, depth: 1 })).toEqual([`a.txt\nsrc/ …${note(2)}`]);
  expect(await tree(files, { excludePatterns, depth: 2 })).toEqual([
    `a.txt\nsrc/\n b.ts\n deep/ …${note(4)}`,
  ]);
  expect(await tree(files, { excludePatterns, limit: 3 })).toEqual([
    `a.txt\nsrc/\n b.ts\n … 1 more${note(3)}; set limit to show more`,
  ]);
  expect(await tree(files, { excludePatterns: [...excludePatterns, '**/deep'] })).toEqual([
    'a.txt\nsrc/\n b.ts',
  ]);
  expect(await tree({}, { excludePatterns: ['up'] })).toEqual(['Empty directory']);
});

test('directory_tree lists a tree of 1,000 levels', async () => {
  const said = await tree({ [`${'d/'.repeat(1_000)}bottom.txt`]: '' }, { limit: 50_000 });
  expect(said[0]!.split('\n')).toHaveLength(1_002);
});
