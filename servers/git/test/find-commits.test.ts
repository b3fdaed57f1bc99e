import { expect, test } from 'vitest';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

const source = (two: string) => `function one() {\n  return 1;\n}\n\nfunction two() {\n  return ${two};\n}\n`;

/** Three commits on main, one that only `side` has, and one that was reset away. */
const history = new WorkspaceTemplate({ 'a.c': source('2') }, async (workspace) => {
  await workspace.commit('change two', { 'a.c': source('22') });
  await workspace.commit('other', { 'b.txt': 'port = 8080\n' });
  await workspace.git.checkoutLocalBranch('side');
  await workspace.commit('on the side', { 'c.txt': 'c\n' });
  await workspace.git.checkout('main');
  await workspace.commit('lost', { 'd.txt': 'd\n' });
  await workspace.git.reset(['--hard', 'HEAD~1']);
});

async function log(workspace: Workspace, args: Record<string, unknown>) {
  await using client = await workspace.connect();
  return await workspace.callText(client, 'git_log', args);
}
const subjects = async (workspace: Workspace, args: Record<string, unknown>) =>
  (await log(workspace, args))
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/^.*?: /, ''));

test('git_log with reflog lists where HEAD was, so that a lost commit is found', async () => {
  using workspace = await history.copy();
  const entries = (await log(workspace, { reflog: true, max_count: 3 })).split('\n');
  const lost = await workspace.git.revparse('HEAD@{1}');
  expect(entries[0]).toMatch(/^HEAD@\{0\} [0-9a-f]{10} 2026-01-02T03:04 reset: moving to HEAD~1 \| other$/);
  expect(entries[1]).toBe(`HEAD@{1} ${lost.slice(0, 10)} 2026-01-02T03:04 commit: lost`);
  expect(entries[3]).toBe('… more with cursor "3"');
  expect(await log(workspace, { reflog: true, max_count: 1, cursor: '3' })).toMatch(/^HEAD@\{3\} /);
  expect(await log(workspace, { reflog: true, revision: 'side' })).toMatch(
    /^side@\{0\} .*commit: on the side/,
  );
  for (const hostile of ['--all', 'a..b', 'HEAD@{0}', 'x^{/y}'])
    expect(await log(workspace, { reflog: true, revision: hostile })).toMatch(/^ERROR Invalid branch name/);
});

test('git_log with all lists the commits of all branches, in pages', async () => {
  using workspace = await history.copy();
  expect((await subjects(workspace, { all: true })).toSorted()).toEqual([
    'change two',
    'first',
    'on the side',
    'other',
  ]);
  await using client = await workspace.connect();
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await workspace.log(client, { all: true, max_count: 1, cursor });
    found.push(page.commits[0]!.message);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(found.toSorted()).toEqual(['change two', 'first', 'on the side', 'other']);
  expect(await log(workspace, { cursor: '1.all' })).toMatch(/^ERROR The cursor "1.all" belongs to other/);
});

test('git_log finds the commits that change a regular expression, lines, or a function', async () => {
  using workspace = await history.copy();
  expect(await subjects(workspace, { changed_regexp: 'port = [0-9]+' })).toEqual(['other']);
  expect(await subjects(workspace, { path: 'a.c', lines: '6' })).toEqual(['change two', 'first']);
  expect(await subjects(workspace, { path: 'a.c', lines: '1-3' })).toEqual(['first']);
  expect(await subjects(workspace, { path: 'a.c', function: 'two' })).toEqual(['change two', 'first']);
  expect(await subjects(workspace, { path: 'a.c', function: 'one' })).toEqual(['first']);
  expect(await log(workspace, { path: 'a.c', function: 'three' })).toBe(
    'ERROR No such function in the file: "three"',
  );
  expect(await log(workspace, { path: 'a.c', lines: '100' })).toBe('ERROR The file has only 7 lines');
});

test('the pages of the log of some lines follow them, though they move', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'mine\n' });
  for (const count of [1, 2, 3])
    await workspace.commit(`change ${count}`, { 'a.txt': `${'above\n'.repeat(count)}mine ${count}\n` });
  const args = { path: 'a.txt', lines: '4', max_count: 1 };
  await using client = await workspace.connect();
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await workspace.log(client, { ...args, cursor });
    found.push(page.commits[0]!.message);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(found).toEqual(['change 3', 'change 2', 'change 1', 'first']);
});

test('git_log with full shows whole messages, addresses, times and parents', async () => {
  using workspace = await history.copy();
  Object.assign(workspace.environment, { GIT_AUTHOR_NAME: 'Eve', GIT_AUTHOR_DATE: '2025-01-01T00:00:00Z' });
  const parent = await workspace.git.revparse('HEAD');
  const hash = await workspace.commit('Subject\n\nA body\ncommit of two lines');
  expect(await log(workspace, { full: true, max_count: 1 })).toMatch(
    [
      `commit ${await workspace.git.revparse(hash)}`,
      `Parents: ${parent}`,
      'Author: Eve <ada@example.com> 2025-01-01T00:00:00Z',
      'Committer: Ada <ada@example.com> 2026-01-02T03:04:05Z',
      '    Subject',
      '    ',
      '    A body',
      '    commit of two lines',
      '',
    ].join('\n'),
  );
});

test('git_blame shows who changed a function', async () => {
  using workspace = await history.copy();
  await using client = await workspace.connect();
  const blame = (args: object) => workspace.callText(client, 'git_blame', { path: 'a.c', ...args });
  expect(await blame({ function: 'two' })).toMatch(
    /^5 [0-9a-f]{10} .* first\n6 [0-9a-f]{10} .* change two\n7 [0-9a-f]{10} .* first\n3 ranges, 3 lines in all$/,
  );
  expect(await blame({ function: '/x/,+1:/etc/passwd' })).toMatch(/^ERROR Invalid function/);
});

test.each([
  { changed_regexp: '[' },
  { changed_regexp: 'NUL \0' },
  { changed_regexp: 'x', changed_text: 'y' },
  { all: true, revision: 'main' },
  { lines: '1' },
  { path: 'a.c', lines: '1,2:/etc/passwd' },
  { path: 'a.c', lines: '0' },
  { path: 'a.c', lines: '5-2' },
  { path: 'a.c', lines: '/x/' },
  { path: 'a.c', function: 'a(b*)*c' },
  { path: 'a.c', function: '' },
  { path: 'a.c', function: 'x', lines: '1' },
  { path: '../x', function: 'x' },
  { path: '.git/config', lines: '1' },
])('git_log refuses %j', async (args) => {
  using workspace = await history.copy();
  expect(await log(workspace, args)).toMatch(/^ERROR (Invalid|Missing|Outside|Inside)/);
});

test('git_show and the diffs with stat show only the lines per file', async () => {
  using workspace = await history.copy();
  workspace.put('b.txt', 'port = 80\n');
  await using client = await workspace.connect();
  const call = (tool: string, args: object) => workspace.callText(client, tool, { ...args, stat: true });
  expect(await call('git_diff', { target: 'HEAD~2..HEAD' })).toBe('1\t1\ta.c\n1\t0\tb.txt\n2 files\n');
  expect(await call('git_diff_unstaged', {})).toBe('1\t1\tb.txt\n1 file\n');
  expect(await call('git_diff_staged', {})).toBe('Nothing is staged');
  expect(await call('git_show', { revision: 'HEAD' })).toMatch(/^commit [^]*\n1\t0\tb\.txt\n1 file\n$/);
});
