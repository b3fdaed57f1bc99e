import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

async function openWorkspace(files: Record<string, string | Uint8Array>) {
  const workspace = new Workspace(files);
  const client = await workspace.connect();
  const say = async (tool: string, args: object) =>
    (await workspace.say(client, tool, { ...args })).join('\n');
  return { workspace, say, at: (path: string) => join(workspace.root, path) };
}

test('search_files sorts by size and time, shows them, and pages with the total', async () => {
  const { workspace, say, at } = await openWorkspace({ a: 'xx', 'd/b': 'xxxx', c: '' });
  using _ = workspace;
  for (const [path, day] of [
    ['a', 3],
    ['d/b', 1],
    ['c', 2],
    ['d', 4],
  ] as const)
    utimesSync(at(path), new Date(0), new Date(Date.UTC(2026, 0, day)));
  const find = (args: object) => say('search_files', { path: '.', pattern: '*', ...args });
  expect(await find({ sortBy: 'size' })).toBe(
    [
      'd/b  4  2026-01-01T00:00:00Z',
      'a  2  2026-01-03T00:00:00Z',
      'c  0  2026-01-02T00:00:00Z',
      'd/  2026-01-04T00:00:00Z',
      '4 matches',
    ].join('\n'),
  );
  expect(await find({ sortBy: 'modified', limit: 2, skip: 1 })).toBe(
    'a  2  2026-01-03T00:00:00Z\nc  0  2026-01-02T00:00:00Z\nMatches 2 to 3 of 4; continue with skip 3',
  );
  expect(await find({ skip: 3 })).toBe('d/b\nMatches 4 to 4 of 4');
});

test('list_directory_with_sizes with recursive sums directories without what links lead to', async () => {
  const { workspace, say, at } = await openWorkspace({
    'a/x': '12345',
    'a/b/y': '123',
    'c/z': '1',
    d: '1234567',
  });
  using _ = workspace;
  writeFileSync(join(workspace.outside, 'large'), 'x'.repeat(1_000));
  symlinkSync(workspace.outside, at('a/out'));
  symlinkSync(workspace.outside, at('out'));
  expect(await say('list_directory_with_sizes', { path: '.', recursive: true, sortBy: 'size' })).toBe(
    [
      '[DIR] a  8',
      '[FILE] d  7',
      '[DIR] c  1',
      '[SYMLINK] out',
      '',
      '1 file, 2 directories, 1 other, 16 bytes in files and 3 files in subdirectories',
    ].join('\n'),
  );
  const timed = await say('list_directory_with_sizes', { path: 'c', sortBy: 'modified' });
  expect(timed).toMatch(/^\[FILE\] z {2}1 {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/);
});

test('search_files with duplicates groups files of the same content, largest first', async () => {
  const { workspace, say, at } = await openWorkspace({
    'a.txt': 'same',
    'd/b.txt': 'same',
    'c.txt': 'sama',
    large1: 'x'.repeat(2_000_000),
    'd/large2': 'x'.repeat(2_000_000),
    empty1: '',
    empty2: '',
    'outside.txt': 'SECRET',
  });
  using _ = workspace;
  symlinkSync(join(workspace.outside, 'secret.txt'), at('link.txt'));
  linkSync(at('a.txt'), at('hard.txt'));
  expect(await say('search_files', { path: '.', pattern: '*', duplicates: true })).toBe(
    [
      '2000000 bytes\nd/large2\nlarge1',
      '4 bytes\na.txt\nhard.txt  hard link of a.txt\nd/b.txt',
      '2 groups; 4 files, 2000004 bytes redundant',
    ].join('\n\n'),
  );
  expect(await say('search_files', { path: '.', pattern: '*', duplicates: true, limit: 1 })).toMatch(
    /Groups 1 to 1 of 2; .*; continue with skip 1$/,
  );
  expect(await say('search_files', { path: 'd', pattern: '*', duplicates: true })).toBe(
    'No duplicates in 2 files',
  );
});

test('get_file_info compares two files', async () => {
  const { workspace, say } = await openWorkspace({
    a: 'one\ntwo\n',
    b: 'one\n2\n',
    c: 'one\ntwo\n',
    'x.bin': Buffer.from([0, 1]),
    'y.bin': Buffer.from([0, 2, 3]),
  });
  using _ = workspace;
  const compare = (path: string, compareWith: string) => say('get_file_info', { path, compareWith });
  expect(await compare('a', 'b')).toBe('--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
  expect(await compare('a', 'c')).toBe('Same content: 8 bytes');
  expect(await compare('x.bin', 'y.bin')).toBe('Different content: 2 and 3 bytes');
  expect(await compare('a', '.')).toMatch(/^ERROR\nOnly two files or two directories can be compared/);
  expect(await compare('a', '../outside/secret.txt')).toMatch(/^ERROR\nOutside the allowed directories/);
});

test('get_file_info compares two directories and follows no link', async () => {
  const { workspace, say, at } = await openWorkspace({
    'a/same': 'same',
    'b/same': 'same',
    'a/changed': 'one',
    'b/changed': 'two',
    'a/size': 'one',
    'b/size': 'three',
    'a/new/x/y': '',
    'b/old': '',
    'a/kind': '',
    'b/kind/z': '',
  });
  using _ = workspace;
  symlinkSync(workspace.outside, at('a/out'));
  symlinkSync(workspace.outside, at('b/out'));
  symlinkSync('one', at('a/link'));
  symlinkSync('two', at('b/link'));
  expect(await say('get_file_info', { path: 'a', compareWith: 'b' })).toBe(
    [
      'Only in path: 1\n new/',
      'Only in compareWith: 2\n kind/z\n old',
      'Different: 4\n changed\n kind\n link\n size',
      'Same: 2 files',
    ].join('\n'),
  );
  expect(await say('get_file_info', { path: 'a/out', compareWith: 'b' })).toMatch(/^ERROR\nOutside/);
});

test('get_file_info with maxDiff returns the diffs of the text files that differ, up to that length', async () => {
  const { workspace, say, at } = await openWorkspace({
    'a/1.txt': 'one\n',
    'b/1.txt': 'two\n',
    'a/2.txt': 'x\n',
    'b/2.txt': 'y\n',
    'a/x.bin': Buffer.from([0, 1]),
    'b/x.bin': Buffer.from([0, 2]),
    'a/large': 'x'.repeat(300_000),
    'b/large': 'y'.repeat(300_000),
  });
  using _ = workspace;
  for (const directory of ['a', 'b'])
    symlinkSync(join(workspace.outside, directory === 'a' ? 'secret.txt' : 'other'), at(`${directory}/link`));
  writeFileSync(join(workspace.outside, 'other'), 'OTHER');
  const compare = (maxDiff: number) => say('get_file_info', { path: 'a', compareWith: 'b', maxDiff });
  const names = 'Different: 5\n 1.txt\n 2.txt\n large\n link\n x.bin\nSame: 0 files';
  const first = '--- a/1.txt\n+++ b/1.txt\n@@ -1,1 +1,1 @@\n-one\n+two'.replaceAll('1,1', '1');
  const second = first.replaceAll('1.txt', '2.txt').replace('one', 'x').replace('two', 'y');
  expect(await compare(0)).toBe(names);
  expect(await compare(1_000)).toBe(`${names}\n${first}\n${second}`);
  expect(await compare(40)).toBe(`${names}\n${first}\n… the diff is cut; set maxDiff to see more`);
  expect(await say('get_file_info', { path: 'a/1.txt', compareWith: 'b/1.txt', maxDiff: 0 })).toBe(
    'Different content: 4 and 4 bytes',
  );
  expect(await say('get_file_info', { path: 'a', compareWith: 'b', maxDiff: 300_000 })).toMatch(/^ERROR\n/);
});

test('read_multiple_files reads the same part of all files that match a glob', async () => {
  const log = (name: string) => Array.from({ length: 50 }, (_, line) => `${name} ${line + 1}`).join('\n');
  const { workspace, say, at } = await openWorkspace({ 'logs/a.log': log('a'), 'logs/b.log': log('b') });
  using _ = workspace;
  symlinkSync(join(workspace.outside, 'secret.txt'), at('logs/out.log'));
  const read = (args: object) => say('read_multiple_files', { path: 'logs', glob: '*.log', ...args });
  expect(await read({ tail: 2 })).toBe('"logs/a.log":\na 49\na 50\n"logs/b.log":\nb 49\nb 50\n2 files');
  expect(await read({ head: 1 })).toBe('"logs/a.log":\na 1\n"logs/b.log":\nb 1\n2 files');
  const more = 'There is more; continue with offset 12.';
  expect(await read({ offset: 10, limit: 2 })).toBe(
    ['a', 'b'].map((name) => `"logs/${name}.log" (${more}):\n10\t${name} 10\n11\t${name} 11\n`).join('') +
      '2 files',
  );
  expect(await read({ head: 1, tail: 1 })).toBe('ERROR\nGive only one of head, tail, and offset with limit');
  expect(await read({ glob: '*.txt' })).toBe(
    'ERROR\nNo match for "*.txt" in "logs"; extensions there are .log; files that .gitignore excludes are not searched',
  );
});

test('the error for a misspelt name has the similar names of that directory', async () => {
  const { workspace, say, at } = await openWorkspace({ 'src/components/button.ts': '', 'README.md': '' });
  using _ = workspace;
  mkdirSync(at('other'));
  symlinkSync(workspace.outside, at('out'));
  const read = (path: string) => say('read_text_file', { path });
  expect(await read('src/componets/button.ts')).toBe(
    'ERROR\nNo such file: "src/componets/button.ts"; similar names are "components"',
  );
  expect(await read('readme.md')).toBe('ERROR\nNo such file: "readme.md"; similar names are "README.md"');
  expect(await read('nothing')).toBe('ERROR\nNo such file: "nothing"');
  expect(await read('out/secrets.txt')).toBe('ERROR\nOutside the allowed directories: "out/secrets.txt"');
  for (const [tool, args] of [
    ['delete_file', { path: 'src/components/buton.ts' }],
    ['move_file', { source: 'src/components/buton.ts', destination: 'x' }],
    ['copy_file', { source: 'src/components/buton.ts', destination: 'x' }],
    ['edit_file', { path: 'src/components/buton.ts', edits: [{ oldText: 'a', newText: 'b' }] }],
  ] as const)
    expect(await say(tool, args), tool).toMatch(/similar names are "button\.ts"$/);
});
