import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

let workspace: Workspace;
let repo_path: string;

beforeAll(async () => {
  workspace = await Workspace.create({ 'a.txt': 'one\n' });
  await workspace.commit('second', { 'a.txt': 'one\ntwo\n' });
  await workspace.commit('third', { 'b.txt': 'b\n' });
  await workspace.commit('fourth', { 'a.txt': 'one\ntwo\nthree\n' });
  repo_path = join(workspace.allowed, 'shallow');
  await workspace.gitAt(workspace.allowed).clone(`file://${workspace.root}`, 'shallow', ['--depth=2']);
});
afterAll(() => workspace[Symbol.dispose]());

async function call(tool: string, args: object) {
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  return await workspace.callText(client, tool, { repo_path, ...args });
}

test('a log, a blame and a missing revision of a shallow history say that it is shallow', async () => {
  expect(await call('git_log', {})).toMatch(/ fourth\n.* third\n2 commits; the history is shallow$/);
  expect(await call('git_log', { max_count: 1 })).toMatch(/ fourth\n… more with cursor/);
  expect(await call('git_blame', { path: 'a.txt' })).toMatch(
    /^1-2 .* third\n3 .* fourth\nThe history is shallow: lines of its first commit may be older\n2 ranges, 3 lines in all$/,
  );
  expect(await call('git_show', { revision: 'HEAD~2' })).toBe(
    'ERROR No such revision: "HEAD~2"; the history is shallow',
  );
});

test('git_commit rewrites no commit whose parents are missing, and rewrites the others', async () => {
  const directory = repo_path;
  const before = await workspace.output(['rev-parse', 'HEAD'], { directory });
  expect(await call('git_commit', { message: 'x', reword: 'HEAD~1' })).toBe(
    'ERROR Invalid reword: the shallow history begins at "HEAD~1"; its parents are missing',
  );
  expect(await call('git_commit', { message: 'x', squash: 'HEAD~2' })).toBe(
    'ERROR No such revision: "HEAD~2"; the history is shallow',
  );
  expect(await workspace.output(['rev-parse', 'HEAD'], { directory })).toBe(before);
  expect(await call('git_commit', { message: 'reworded', reword: 'HEAD' })).toMatch(/^Reworded on main: /);
  expect(await call('git_commit', { message: 'squashed', squash: 'HEAD~1' })).toMatch(/^Committed on main: /);
  expect(await workspace.output(['log', '--format=%s'], { directory })).toBe('squashed\nthird');
  expect(await workspace.output(['fsck', '--no-dangling', '--no-progress'], { directory })).toBe('');
});
