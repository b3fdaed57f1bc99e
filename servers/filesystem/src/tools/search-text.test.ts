import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

/** The answer without its total. */
async function search(...args: Parameters<typeof answer>) {
  return (await answer(...args)).replace(/\n\n\d+ lines? in \d+ files?$/, '');
}

async function answer(files: Record<string, string | Uint8Array>, args: Record<string, unknown>) {
  using workspace = new Workspace(files);
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  symlinkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'out.txt'));
  await using client = await workspace.connect();
  const said = await workspace.say(client, 'search_text', { path: '.', ...args });
  return said.join('\n');
}

const files = {
  'a.txt': 'one\ntwo\nthree\nfour\nfive\n',
  'sub/b.txt': 'Two and two\r\n',
  'sub/c.md': 'two',
};

test('search_text returns the matching lines of each file with their numbers', async () => {
  expect(await search(files, { text: 'two' })).toBe(
    'a.txt\n2\ttwo\n\nsub/b.txt\n1\tTwo and two\n\nsub/c.md\n1\ttwo',
  );
  expect(await search(files, { text: 'two', glob: '*.md' })).toBe('sub/c.md\n1\ttwo');
  expect(await search(files, { text: 'two', excludePatterns: ['sub'] })).toBe('a.txt\n2\ttwo');
  expect(await search(files, { text: 'two', path: 'a.txt' })).toBe('a.txt\n2\ttwo');
  expect(await search(files, { text: 'six' })).toBe(
    'No match in 3 files; set ignoreCase to ignore case; set includeIgnored to search ignored files too',
  );
});

test('search_text returns each context line once', async () => {
  expect(await search(files, { text: 'two', glob: 'a.txt', context: 1 })).toBe(
    'a.txt\n1-\tone\n2\ttwo\n3-\tthree',
  );
  expect(await search(files, { text: 'e', path: 'a.txt', context: 1 })).toBe(
    'a.txt\n1\tone\n2-\ttwo\n3\tthree\n4-\tfour\n5\tfive',
  );
  const gap = { 'a.txt': 'x\n1\n2\n3\n4\nx' };
  expect(await search(gap, { text: 'x', context: 1 })).toBe('a.txt\n1\tx\n2-\t1\n--\n5-\t4\n6\tx');
});

test('search_text ignores case and matches regular expressions per line', async () => {
  expect(await search(files, { text: 'TWO', ignoreCase: true, glob: '*.txt' })).toBe(
    'a.txt\n2\ttwo\n\nsub/b.txt\n1\tTwo and two',
  );
  expect(await search(files, { text: '^t\\w+$', regex: true })).toBe(
    'a.txt\n2\ttwo\n3\tthree\n\nsub/c.md\n1\ttwo',
  );
  expect(await search(files, { text: 'o$', regex: true, glob: '*.txt' })).toBe(
    'a.txt\n2\ttwo\n\nsub/b.txt\n1\tTwo and two',
  );
  expect(await search(files, { text: 'one\\stwo', regex: true })).toMatch(/^No match in 3 files/);
  expect(await search(files, { text: 't(?!w)', regex: true })).toBe('a.txt\n3\tthree');
  expect(await search(files, { text: '[', regex: true })).toBe(
    'ERROR\nInvalid regular expression (Unterminated character class): "["',
  );
  expect(await search({ a: 'a.b-c\naxb' }, { text: 'a\\.b\\-c', regex: true })).toBe('a\n1\ta.b-c');
  expect(await search({ a: 'é 日\nè' }, { text: '\\p{Script=Han}', regex: true })).toBe('a\n1\té 日');
});

test('search_text follows no link that leads outside', async () => {
  expect(await search(files, { text: 'SECRET' })).toMatch(/^No match in 3 files/);
  expect(await search(files, { text: 'SECRET', regex: true })).toMatch(/^No match in 3 files/);
  for (const path of ['out', 'out.txt', '../outside']) {
    expect(await search(files, { text: 'SECRET', path })).toBe(
      `ERROR\nOutside the allowed directories: "${path}"`,
    );
  }
});

test('search_text treats a text that looks like an option or a pattern literally', async () => {
  for (const text of ['-e', '--files', '--pre=sh', '$(id)', '.*', '[', 'a|b', '\\']) {
    expect(await search({ 'a.txt': `x\n${text}\n` }, { text })).toBe(`a.txt\n2\t${text}`);
    expect(await search({ 'a.txt': `x\n${text}\n` }, { text, ignoreCase: true })).toBe(`a.txt\n2\t${text}`);
  }
});

test('search_text skips ignored files, node_modules and .git unless includeIgnored is set', async () => {
  const contents = {
    '.gitignore': '*.log\nbuild/\n',
    'a.log': 'x',
    'build/b.js': 'x',
    'c.js': 'x',
    'node_modules/d.js': 'x',
    '.git/e': 'x',
  };
  expect(await search(contents, { text: 'x' })).toBe('c.js\n1\tx');
  expect(await search(contents, { text: 'x', includeIgnored: true })).toBe(
    '.git/e\n1\tx\n\na.log\n1\tx\n\nbuild/b.js\n1\tx\n\nc.js\n1\tx\n\nnode_modules/d.js\n1\tx',
  );
});

test('search_text skips binary files, reads UTF-16 and shortens a long line around its match', async () => {
  expect(await search({ a: 'x\0', b: 'x' }, { text: 'x' })).toBe('b\n1\tx');
  expect(await search({ a: 'x\0', b: 'x' }, { text: 'x', regex: true })).toBe('b\n1\tx');
  // Larger than one read, and the first line looks like text.
  const large = `x\n${'\0'.repeat(2_000_000)}\nx`;
  expect(await search({ a: large, b: 'x' }, { text: 'x' })).toBe('b\n1\tx');
  expect(await search({ a: large, b: 'x' }, { text: 'x', regex: true })).toBe('b\n1\tx');
  const utf16 = Buffer.from('\ufeffone\ntwo é', 'utf16le');
  expect(await search({ a: utf16 }, { text: 'é' })).toBe('a\n2\ttwo é');
  expect(await search({ a: '\ufeffone' }, { text: '^one', regex: true })).toBe('a\n1\tone');
  const long = `${'日'.repeat(1_000)}needle${'日'.repeat(1_000)}`;
  const said = await search({ a: long }, { text: 'needle' });
  expect(said).toMatch(/^a\n1\t…日+needle日+…$/);
  expect(said.length).toBeLessThan(500);
});

test('search_text bounds its answer', async () => {
  const many = { a: 'x\n'.repeat(500), b: 'x\n'.repeat(500) };
  const said = await search(many, { text: 'x', limit: 10 });
  expect(said.match(/\tx/g)).toHaveLength(10);
  expect(said).toMatch(/\n\nLines 1 to 10 of 1000 lines in 2 files; continue with cursor "10:a"$/);
  const wide = await search({ a: `${'x'.repeat(399)}\n`.repeat(2_000) }, { text: 'x', limit: 2_000 });
  expect(wide.length).toBeLessThan(400_000);
  expect(await search({ a: 'x\nx\n' }, { text: 'x', limit: 2 })).toBe('a\n1\tx\n2\tx');
});

test('search_text ends with the number of lines and files', async () => {
  expect(await answer(files, { text: 'two' })).toMatch(/\n\n3 lines in 3 files$/);
  expect(await answer(files, { text: 'one' })).toBe('a.txt\n1\tone\n\n1 line in 1 file');
  expect(await answer(files, { text: 'two', filesOnly: true })).toBe('a.txt\nsub/b.txt\nsub/c.md\n3 files');
});

test('a regular expression with catastrophic backtracking is stopped, and the server stays responsive', async () => {
  using workspace = new Workspace({ 'a.txt': 'a'.repeat(1024 ** 2) });
  await using client = await workspace.connect();
  const evil = (text: string) => workspace.say(client, 'search_text', { path: '.', text, regex: true });
  const waiting = Promise.all([evil('(.*)*x'), evil('(a|a)*b'), evil('(a+)+$')]);
  expect(await workspace.say(client, 'search_text', { path: '.', text: 'nothing' })).toHaveLength(1);
  const said = await waiting;
  expect(said[0]).toEqual([
    'ERROR',
    'The regular expression took more than 2 seconds for 1 MiB of text; simplify it: "(.*)*x"',
  ]);
  expect(said[1]).toEqual([
    'ERROR',
    'The regular expression took more than 2 seconds for 1 MiB of text; simplify it: "(a|a)*b"',
  ]);
});
