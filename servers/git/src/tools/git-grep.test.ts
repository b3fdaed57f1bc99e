import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_grep finds a text in the tracked files or in those of a revision', async () => {
  using workspace = await Workspace.create({
    'a.txt': 'Hello (world)\n',
    'sub/b.txt': 'hello\nhello again\n',
  });
  workspace.put('untracked.txt', 'hello\n');
  await using client = await workspace.connect();
  const grep = (args: object) => workspace.callText(client, 'git_grep', { ...args });
  expect(await grep({ pattern: 'hello' })).toBe('sub/b.txt:1\thello\nsub/b.txt:2\thello again\n2 matches');
  expect(await grep({ pattern: 'hello', ignore_case: true, paths: ['a.txt'] })).toBe(
    'a.txt:1\tHello (world)\n1 match',
  );
  expect(await grep({ pattern: '(world)' })).toBe('a.txt:1\tHello (world)\n1 match');
  expect(await grep({ pattern: 'h.l+o .', regexp: true })).toBe('sub/b.txt:2\thello again\n1 match');
  await workspace.commit('second', { 'sub/b.txt': 'gone\n' });
  expect(await grep({ pattern: 'again' })).toBe('No matches');
  expect(await grep({ pattern: 'again', revision: 'HEAD~1' })).toBe('sub/b.txt:2\thello again\n1 match');
  expect(await grep({ pattern: 'gone' })).toBe('sub/b.txt:1\tgone\n1 match');
});

test('git_grep returns at most 200 lines, and truncates long lines', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'x\n'.repeat(201), 'b.txt': `y${'z'.repeat(600)}\n` });
  await using client = await workspace.connect();
  const text = await workspace.callText(client, 'git_grep', { pattern: 'x' });
  expect(text.split('\n')).toHaveLength(201);
  expect(text).toMatch(/\n… more than 200 match; narrow the pattern or the paths$/);
  expect(await workspace.callText(client, 'git_grep', { pattern: 'yz' })).toBe(
    `b.txt:1\ty${'z'.repeat(499)}…\n1 match`,
  );
});

test('git_grep refuses an invalid pattern and names the reason', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_grep', { pattern: 'a\nb' })).toBe(
    'ERROR Invalid pattern: it contains a NUL or a line break',
  );
  expect(await workspace.callText(client, 'git_grep', { pattern: '(', regexp: true })).toMatch(
    /^ERROR Git refused: .*Unmatched \(/,
  );
});

test('git_grep refuses a pattern that would use all memory', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'aaa\n' });
  await using client = await workspace.connect();
  const grep = (pattern: string) => workspace.callText(client, 'git_grep', { pattern, regexp: true });
  expect(await grep('((a{1,250}){1,250}){1,250}')).toBe(
    'ERROR Invalid pattern: more than 10000 repetitions in total; use * or +',
  );
  expect(await grep('(a{1,2}){1,2}')).toBe('a.txt:1\taaa\n1 match');
});
