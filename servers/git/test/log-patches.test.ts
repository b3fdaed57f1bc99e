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
    /Renamed from "two\.txt" in \w+; .*, and so has this log with follow\n1 commit$/,
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
    /^Moved; git_worktree move of "moved" to "tree" undoes it\n[^]*\/allowed\/moved \w+ topic\n2 work trees$/,
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
