import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** A file that was renamed twice, and another. */
async function renamed() {
  const workspace = await Workspace.create({ 'one.txt': 'a\nb\nc\nd\n', 'other.txt': 'o\n' });
  await workspace.git.mv('one.txt', 'two.txt');
  await workspace.commit('to two');
  await workspace.commit('change two', { 'two.txt': 'a\nB\nc\nd\n', 'other.txt': 'p\n' });
  await workspace.git.mv('two.txt', 'three.txt');
  await workspace.commit('to three', { 'three.txt': 'a\nB\nc\nD\n' });
  return workspace;
}

test('git_log follows renames, in pages too', async () => {
  using workspace = await renamed();
  await using client = await workspace.connect();
  const log = (args: object) => workspace.callText(client, 'git_log', { ...args });
  expect(await log({ path: 'three.txt' })).toMatch(
    /\nRenamed from "two\.txt" in \w{10}; ask for that path, or pass follow\n1 commit$/,
  );
  expect((await log({ path: 'three.txt', follow: true })).match(/Ada: .*/g)).toEqual([
    'Ada: to three',
    'Ada: change two',
    'Ada: to two',
    'Ada: first',
  ]);
  const pages: string[] = [];
  for (let cursor: string | undefined; ;) {
    const text = await log({ path: 'three.txt', follow: true, max_count: 1, ...(cursor && { cursor }) });
    pages.push(/Ada: (.*)/.exec(text)?.[1] ?? '');
    cursor = /cursor "(\S+)"/.exec(text)?.[1];
    if (cursor === undefined) break;
  }
  expect(pages).toEqual(['to three', 'change two', 'to two', 'first']);
  expect(await log({ follow: true })).toBe('ERROR Missing path to follow');
});

test('git_log with follow names the former paths, or says that there were none', async () => {
  using workspace = await renamed();
  await using client = await workspace.connect();
  const log = (args: object) => workspace.callText(client, 'git_log', { follow: true, ...args });
  expect(await log({ path: 'three.txt' })).toMatch(
    /\nRenamed from "two\.txt" in \w{10}, from "one\.txt" in \w{10}\n4 commits$/,
  );
  // Git does not see a rename in a commit that author or grep leave out, and ends there.
  expect(await log({ path: 'three.txt', grep: 'change' })).toMatch(
    /^No commits\nRenamed from "two\.txt" in \w{10}, from "one\.txt" in \w{10}; author and grep end the log there: ask for these paths too$/,
  );
  expect(await log({ path: 'other.txt' })).toMatch(/first\n2 commits; never renamed$/);
  expect(await log({ path: 'other.txt', author: 'Ada' })).toMatch(/\n2 commits; never renamed$/);
  // The history before the range is not read, so nothing is known about it.
  expect(await log({ path: 'other.txt', revision: 'HEAD~2..HEAD' })).toMatch(/\n1 commit$/);
  expect(await log({ path: 'other.txt', start_timestamp: '2020-01-01' })).toMatch(
    /\n2 commits; never renamed$/,
  );
});

test('git_log names the former path of a directory, which git does not follow', async () => {
  using workspace = await Workspace.create({ 'lib/a.ts': 'a\n', 'lib/b.ts': 'b\n' });
  await workspace.git.mv('lib', 'src');
  await workspace.commit('moved');
  await using client = await workspace.connect();
  const log = (args: object) => workspace.callText(client, 'git_log', { path: 'src', ...args });
  const end = /moved\nRenamed from "lib" in \w{10}; ask for that path\n1 commit$/;
  expect(await log({})).toMatch(end);
  expect(await log({ follow: true })).toMatch(end);
  await workspace.git.raw(['rm', '-rq', 'src']);
  await workspace.commit('removed');
  expect(await log({ follow: true })).not.toContain('never renamed');
});

test('git_log shows patches and numbers, of a path only its part', async () => {
  using workspace = await renamed();
  await using client = await workspace.connect();
  const log = (args: object) => workspace.callText(client, 'git_log', { ...args });
  const patches = await log({ path: 'three.txt', follow: true, patch: true });
  expect(patches).toContain('-b\n+B\n');
  expect(patches).toContain('-d\n+D\n');
  expect(patches).not.toContain('other.txt\n');
  expect(patches).toMatch(/4 commits$/);
  const stats = await log({ stat: true, max_count: 2 });
  expect(stats).toMatch(/Ada: to three\n[^]*three\.txt[^]*Ada: change two\n[^]*other\.txt/);
  expect(stats).not.toContain('@@');
  expect(await log({ patch: true, reflog: true })).toBe('ERROR Invalid arguments: reflog takes no patch');
});

test('git_log of lines or a function shows only their changes, also before a rename', async () => {
  const text = (first: string, last: string) =>
    `function one() {\n  return '${first}';\n}\n${'\n// apart\n'.repeat(5)}\nfunction two() {\n  return '${last}';\n}\n`;
  using workspace = await Workspace.create({ 'old.js': text('a', 'a'), 'other.txt': 'o\n' });
  await workspace.commit('both', { 'old.js': text('b', 'b'), 'other.txt': 'p\n' });
  await workspace.git.mv('old.js', 'new.js');
  await workspace.commit('moved');
  await workspace.commit('last\n\nwith a body', { 'new.js': text('b', '\u001b[c') });
  await using client = await workspace.connect();
  const log = (args: object) =>
    workspace.callText(client, 'git_log', { path: 'new.js', patch: true, ...args });
  const first = await log({ lines: '1-3' });
  expect(first.match(/^[-+] .*$/gm)).toEqual(["-  return 'a';", "+  return 'b';", "+  return 'a';"]);
  expect(first).toMatch(/Ada: both\ndiff --git a\/old\.js b\/old\.js\n/);
  expect(first).not.toContain('other.txt');
  expect(first).toMatch(/\n\n2 commits$/);
  const last = await log({ function: 'two' });
  expect(last).toContain("+  return '\\u{1b}[c';");
  expect(last).not.toContain('one()');
  const page = await log({ lines: '1-3', max_count: 1 });
  expect(page).toMatch(/Ada: both\n[^]*\+  return 'b';\n[^]*… more with cursor/);
  const cursor = /cursor "(\S+)"/.exec(page)?.[1];
  expect(await log({ lines: '1-3', max_count: 1, cursor })).toMatch(
    /Ada: first\ndiff [^]*\+  return 'a';\n[^]*\n2 commits in all$/,
  );
  expect(await log({ lines: '1-3', author: 'Grace' })).toBe('No commits');
});

test('git_show shows only some paths, and refuses one that is on neither side', async () => {
  using workspace = await renamed();
  await using client = await workspace.connect();
  const show = (paths: string[]) => workspace.callText(client, 'git_show', { revision: 'HEAD~1', paths });
  expect(await show(['other.txt'])).toMatch(/-o\n\+p/);
  expect(await show(['other.txt'])).not.toContain('two.txt');
  expect(await show(['otter.txt'])).toMatch(
    /^ERROR No such file in "\w+\.\.\w+": "otter\.txt"; similar names are "other\.txt"/,
  );
});

test('a stash is shown with its untracked files', async () => {
  using workspace = await renamed();
  workspace.put('other.txt', 'changed\n');
  workspace.put('new.txt', 'new\n');
  await workspace.git.stash(['push', '--include-untracked', '--quiet']);
  await using client = await workspace.connect();
  const shown = await workspace.callText(client, 'git_show', { revision: 'stash@{0}' });
  expect(shown).toMatch(/-p\n\+changed\n[^]*Untracked files of the stash:\n[^]*new\.txt[^]*\+new/);
  const same = await workspace.callText(client, 'git_stash', { action: 'show' });
  expect(same).toBe(shown);
  expect(await workspace.callText(client, 'git_stash', { action: 'show', index: 3 })).toBe(
    'ERROR No such stash: 3; the only stash is 0',
  );
});

test('git_worktree moves a work tree, and names the call that moves it back', async () => {
  using workspace = await renamed();
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const worktree = (args: object) =>
    workspace.callText(client, 'git_worktree', { repo_path: 'repo', ...args });
  await worktree({ action: 'add', path: 'tree', branch: 'topic' });
  expect(await worktree({ action: 'move', path: 'tree', to: 'moved' })).toMatch(
    /^Moved; to undo: git_worktree with action "move", path "moved" and to "tree"\n[^]*\/allowed\/moved \w+ topic\n2 work trees$/,
  );
  expect(await worktree({ action: 'move', path: 'moved', to: '../outside/x' })).toMatch(
    /^ERROR Outside the allowed directories/,
  );
  expect(await worktree({ action: 'move', path: 'moved' })).toBe(
    'ERROR Missing to: the new path of the work tree',
  );
  expect(await worktree({ action: 'move', path: 'repo', to: 'x' })).toMatch(/^ERROR Not a linked work tree/);
  expect(await worktree({ action: 'move', path: 'moved', to: 'tree' })).toMatch(/\/allowed\/tree \w+ topic/);
});

test('git_grep says that a text is found as a regular expression', async () => {
  using workspace = await renamed();
  await using client = await workspace.connect();
  const grep = (args: object) => workspace.callText(client, 'git_grep', { ...args });
  expect(await grep({ pattern: 'a|c' })).toBe(
    'No matches of this text; as a regular expression, with regexp: 2 lines',
  );
  expect(await grep({ pattern: 'zz|yy' })).toBe('No matches');
  expect(await grep({ pattern: '(' })).toBe('No matches');
});

test('writes say what they did', async () => {
  using workspace = await renamed();
  await using client = await workspace.connect();
  const call = (tool: string, args: object) => workspace.callText(client, tool, { ...args });
  workspace.put('other.txt', 'changed\n');
  workspace.put('new.txt', 'new\n');
  workspace.put('left.txt', 'left\n');
  expect(await call('git_add', { files: ['other.txt', 'new.txt'] })).toBe(
    'Staged 2 files (1 new, 1 modified)',
  );
  expect(await call('git_commit', { message: 'two' })).toMatch(
    /^Committed on main: \w+ \S+ Ada: two; 2 files, \+2 −1; left: 1 untracked$/,
  );
  workspace.put('three.txt', 'all\n');
  expect(await call('git_commit', { message: 'all', all: true })).toMatch(
    /all; 1 file, \+1 −4; left: 1 untracked$/,
  );
  expect(await call('git_reset', { mode: 'soft', revision: 'HEAD~1' })).toMatch(
    /^main is at \w+, was \w+; 1 staged, 1 untracked$/,
  );
});
