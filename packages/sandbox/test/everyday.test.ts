import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allow } from '../src/access/allowed-directory.ts';
import { GitIgnore } from '../src/traverse/gitignore.ts';
import { binaryMimeType } from '../src/text/mime-type.ts';
import { problem, textOf, Workspace } from './workspace.ts';

describe('diffs of edits', () => {
  test('the diff of a very long line shows the part around the change', async () => {
    using workspace = new Workspace({ 'long.txt': `${'a '.repeat(1_000_000)}word${' b'.repeat(1_000_000)}` });
    const sandbox = workspace.open();
    const { diff } = await sandbox.edit('long.txt', [{ oldText: 'word', newText: 'WORD' }]);
    expect(diff.length).toBeLessThan(4_000);
    expect(diff).toMatch(/^-….*word.*…$/m);
    expect(diff).toMatch(/^\+….*WORD.*…$/m);
  });

  test('a diff is cut after 32 KiB and counts the changed lines', async () => {
    const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`);
    using workspace = new Workspace({ 'many.txt': lines.join('\n') });
    const oldText = lines.join('\n');
    const { diff } = await workspace
      .open()
      .edit('many.txt', [{ oldText, newText: oldText.replaceAll('line', 'LINE') }]);
    expect(diff.length).toBeLessThan(70_000);
    expect(diff).toMatch(
      /… the diff is cut; in all 20000 lines removed and 20000 added; a larger maxDiff shows more\n$/,
    );
  });
});

test.each([
  {
    what: 'a file indented with tabs, by an edit indented with spaces,',
    file: 'class A:\n\tdef f(self):\n\t\treturn 1\n',
    oldText: 'def f(self):\n    return 1\n',
    newText: 'def f(self):\n    if self:\n        return 2\n    return 1\n',
    expected: 'class A:\n\tdef f(self):\n\t\tif self:\n\t\t\treturn 2\n\t\treturn 1\n',
  },
  {
    what: 'a file indented with tabs, by an edit with two spaces at the same depth,',
    file: 'a:\n\tb:\n\t\tc\n',
    oldText: '  b:\n    c\n',
    newText: '  b:\n    c\n      d\n',
    expected: 'a:\n\tb:\n\t\tc\n\t\t\td\n',
  },
  {
    what: 'a file indented with spaces, by an edit indented with tabs,',
    file: 'a:\n    b:\n        c\n',
    oldText: '\tb:\n\t\tc\n',
    newText: '\tb:\n\t\tc\n\t\t\td\n',
    expected: 'a:\n    b:\n        c\n            d\n',
  },
])('$what stays indented the same way', async ({ file, oldText, newText, expected }) => {
  using workspace = new Workspace({ 'a.py': file });
  const sandbox = workspace.open();
  await sandbox.edit('a.py', [{ oldText, newText }]);
  expect(await textOf(sandbox, 'a.py')).toBe(expected);
});

test('a tree whose paths exceed PATH_MAX can be deleted', async (context) => {
  context.skip(process.platform !== 'linux', 'Building such a tree requires a shell');
  using workspace = new Workspace({ 'deep/a.txt': '' });
  const name = 'd'.repeat(200);
  execFileSync('sh', ['-c', `for i in $(seq 40); do mkdir ${name}; cd -P ${name}; done; touch bottom`], {
    cwd: join(workspace.root, 'deep'),
  });
  const { count } = await workspace.open().delete('deep', { recursive: true });
  expect(count).toBe(43);
  expect(readdirSync(workspace.root)).toEqual([]);
});

test('a missing directory is skipped with a warning, and ~ is the home directory', () => {
  using workspace = new Workspace();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message.replaceAll(workspace.base, ''));
  const missing = join(workspace.root, 'missing');
  const allowed = allow({ directories: [missing, workspace.root, '~'], warn });
  expect(allowed.map(({ name }) => name)).toEqual([workspace.root, homedir()]);
  expect(warnings).toEqual(['Directory skipped: No such directory: "/root/missing"']);
  expect(() => allow({ directories: [missing], warn })).toThrow('No such directory');
});

test('names that are not UTF-8 and decode to the same text are all listed across pages', async (context) => {
  context.skip(process.platform !== 'linux', 'Only Linux allows names that are not UTF-8');
  using workspace = new Workspace();
  for (let byte = 0xf5; byte <= 0xff; byte++)
    writeFileSync(Buffer.from(`${workspace.root}/${String.fromCharCode(byte)}`, 'latin1'), '');
  const sandbox = workspace.open();
  const names: string[] = [];
  for (let after: string | undefined, more = true; more;) {
    const { entries, next } = await sandbox.list('.', { limit: 3, after });
    names.push(...entries.map(({ name }) => name));
    after = next;
    more = next !== undefined;
  }
  expect(names).toEqual(Array.from({ length: 11 }, (_, index) => `\\xf${(5 + index).toString(16)}`));
  const sizes: string[] = [];
  for (let skip = 0; skip < 11; skip += 3)
    sizes.push(...(await sandbox.listSizes('.', { limit: 3, skip })).entries.map(({ name }) => name));
  expect(sizes).toEqual(names);
});

test('a reversed range in a .gitignore matches its first character, as in git', () => {
  const rules = new GitIgnore('[z-a].txt\n');
  expect(rules.ignores('z.txt', 'z.txt', false)).toBe(true);
  expect(rules.ignores('a.txt', 'a.txt', false)).toBeUndefined();
  expect(rules.ignores('m.txt', 'm.txt', false)).toBeUndefined();
});

test.each([
  ['ftypheic', 'image/heic'],
  ['ftypmif1', 'image/heif'],
  ['ftypavis', 'image/avif'],
  ['ftypisom', 'video/mp4'],
])('a file with the brand %s has the type %s', (brand, mimeType) => {
  expect(binaryMimeType('photo', Buffer.from(`\0\0\0\x18${brand}`))).toBe(mimeType);
});

test('in an append-only directory a change leaves at most one empty temporary file', async (context) => {
  using workspace = new Workspace({ 'dir/a.txt': 'old' });
  const directory = join(workspace.root, 'dir');
  try {
    execFileSync('chattr', ['+a', directory], { stdio: 'ignore' });
  } catch {
    context.skip('Requires root and a file system with the append-only attribute');
  }
  try {
    const sandbox = workspace.open();
    for (const content of ['one', 'two', 'three']) await sandbox.write('dir/a.txt', content);
    expect(await problem(() => sandbox.write('dir/b.txt', 'new'))).toBe('nothing went wrong');
    expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('three');
    expect(readFileSync(join(directory, 'b.txt'), 'utf8')).toBe('new');
    const temporary = readdirSync(directory).filter((name) => name.endsWith('.tmp'));
    expect(temporary.length).toBeLessThanOrEqual(1);
    for (const name of temporary) expect(readFileSync(join(directory, name), 'utf8')).toBe('');
  } finally {
    execFileSync('chattr', ['-a', directory]);
  }
});
