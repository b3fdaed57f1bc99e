import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

const numbered = (...changed: readonly (readonly [line: number, text: string])[]) => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  for (const [line, text] of changed) lines[line - 1] = text;
  return `${lines.join('\n')}\n`;
};

/** Three commits on main after the first, of which the second and third change other lines of a.txt. */
const history = new WorkspaceTemplate({ 'a.txt': numbered() }, async (workspace) => {
  await workspace.commit('second\n\nits body', { 'b.txt': 'b\n' });
  await workspace.commit('third', { 'a.txt': numbered([10, 'TEN']) });
  await workspace.commit('fourth', { 'c.txt': 'c\n' });
});

const commit = async (workspace: Workspace, args: Record<string, unknown>) => {
  await using client = await workspace.connect();
  return await workspace.callText(client, 'git_commit', args);
};
const subjects = (workspace: Workspace) => workspace.output(['log', '--format=%s|%an|%ad', '--date=iso']);
const fileAt = (workspace: Workspace, name: string) => workspace.gitAt(workspace.root).show([name]);

test('git_commit with fixup of an older commit adds what is staged to it, and to nothing else', async () => {
  using workspace = await history.copy();
  workspace.put('a.txt', numbered([3, 'THREE'], [10, 'TEN']));
  workspace.put('new.txt', 'new\n');
  await workspace.git.add(['a.txt', 'new.txt']);
  workspace.put('b.txt', 'not staged\n');
  workspace.put('a.txt', numbered([3, 'THREE'], [10, 'TEN'], [20, 'not staged']));
  const [log, head] = [await subjects(workspace), await workspace.git.revparse('HEAD')];
  expect(await commit(workspace, { fixup: 'HEAD~2' })).toMatch(
    new RegExp(
      `^Fixed up on main: [0-9a-f]{10} 2026-01-02 Ada: second; 3 files, \\+3 −1; 2 later commits copied; left: 2 not staged; to undo: git_reset with mode "soft" and revision ${head.slice(0, 10)}$`,
    ),
  );
  expect(await subjects(workspace)).toBe(log);
  expect(await workspace.output(['log', '-1', '--format=%b', 'HEAD~2'])).toBe('its body');
  const changed = await workspace.output(['log', '--reverse', '--format=%s', '--name-only', '-3']);
  expect(changed.replaceAll('\n\n', '\n').split('\n')).toEqual(
    ['second a.txt b.txt new.txt', 'third a.txt', 'fourth c.txt'].flatMap((line) => line.split(' ')),
  );
  expect(await fileAt(workspace, 'HEAD~2:a.txt')).toBe(numbered([3, 'THREE']));
  expect(await fileAt(workspace, 'HEAD:a.txt')).toBe(numbered([3, 'THREE'], [10, 'TEN']));
  expect(await workspace.output(['status', '--porcelain'])).toBe(' M a.txt\n M b.txt');
  expect(await workspace.output(['fsck', '--strict', '--no-dangling', '--no-progress'])).toBe('');
  expect(readdirSync(`${workspace.root}/.git`).filter((name) => name.includes('fixup'))).toEqual([]);
});

test('git_commit with fixup stages files or lines first, and replaces the message on request', async () => {
  using workspace = await history.copy();
  workspace.put('b.txt', 'B\n');
  workspace.put('c.txt', 'C\n');
  expect(await commit(workspace, { fixup: 'HEAD~2', files: ['b.txt'], message: 'again' })).toMatch(
    /^Fixed up on main: \w{10} 2026-01-02 Ada: again; 1 file, \+1 −0; 2 later commits copied; left: 1 not staged; to undo: git_reset with mode "mixed" and revision \w{10}$/,
  );
  expect(await fileAt(workspace, 'HEAD~2:b.txt')).toBe('B\n');
  expect(await workspace.output(['status', '--porcelain'])).toBe(' M c.txt');
  expect(await commit(workspace, { fixup: 'HEAD', files: ['c.txt'] })).toMatch(
    /^Fixed up on main: \w{10} 2026-01-02 Ada: fourth; 1 file/,
  );
  expect(await fileAt(workspace, 'HEAD:c.txt')).toBe('C\n');
});

test('git_commit with amend and without a message keeps the message of the last commit', async () => {
  using workspace = await history.copy();
  await workspace.commit('kept\n\n# body  ', { 'd.txt': 'd\n' });
  workspace.put('d.txt', 'D\n');
  const before = await workspace.output(['log', '-1', '--format=%B']);
  expect(await commit(workspace, { amend: true, files: ['d.txt'] })).toMatch(
    /^Committed on main: .*: kept; /,
  );
  expect(await workspace.output(['log', '-1', '--format=%B'])).toBe(before);
  expect(await fileAt(workspace, 'HEAD:d.txt')).toBe('D\n');
  for (const args of [{}, { squash: 'HEAD~1' }, { reword: 'HEAD' }])
    expect(await commit(workspace, args)).toBe('ERROR Missing message');
});

test('git_commit with fixup copies merges and deletes files in all commits after', async () => {
  using workspace = await history.copy();
  await workspace.diverge('side', { 's.txt': 's\n' }, { 'm.txt': 'm\n' });
  await workspace.git.merge(['--no-ff', '-m', 'merged', 'side']);
  await workspace.git.rm('b.txt');
  const tree = await workspace.output(['write-tree']);
  expect(await commit(workspace, { fixup: 'HEAD~4' })).toMatch(
    /: second; no file changed; 5 later commits copied/,
  );
  expect(await workspace.git.revparse('HEAD^{tree}')).toBe(tree);
  expect(await workspace.output(['log', '--oneline', '--', 'b.txt'])).toBe('');
  expect(await workspace.output(['log', '-1', '--format=%s %p'])).toMatch(/^merged \w+ \w+$/);
});

test('git_commit with fixup changes nothing where what is staged conflicts', async () => {
  using workspace = await history.copy();
  await workspace.git.addConfig('rerere.enabled', 'true');
  workspace.put('a.txt', numbered([10, 'ten']));
  await workspace.git.add('a.txt');
  const [before, hash] = [await workspace.state(), await workspace.git.revparse('HEAD~2')];
  expect(await commit(workspace, { fixup: 'HEAD~2' })).toBe(
    `ERROR Nothing was changed: what is staged conflicts with ${hash.slice(0, 10)} in "a.txt"; it is still staged, so commit it, or name a later commit`,
  );
  expect(await workspace.state()).toBe(before);
  expect(existsSync(`${workspace.root}/.git/MERGE_RR`)).toBe(false);
  expect(await commit(workspace, { fixup: 'HEAD~1' })).toMatch(/^Fixed up /);
  workspace.put('c.txt', 'C\n');
  await workspace.git.add('c.txt');
  expect(await commit(workspace, { fixup: 'HEAD~1' })).toMatch(
    /^ERROR Nothing was changed: what is staged conflicts with \w{10} in "c\.txt"; /,
  );
});

test.each([
  [{ fixup: 'missing' }, /^ERROR No such revision: "missing"/],
  [{ fixup: '--all' }, /^ERROR Invalid revision/],
  [{ fixup: 'side' }, /^ERROR Not in the history of HEAD: "side"/],
  [{ fixup: 'HEAD~1', squash: 'HEAD~2' }, /^ERROR Invalid arguments: expected at most one of amend, fixup/],
  [{ fixup: 'HEAD~1', author: 'Eve <eve@example.com>' }, /^ERROR Invalid author/],
  [{ fixup: 'HEAD~1', message: ' ' }, /^ERROR Invalid message: it is empty/],
  [{ fixup: 'HEAD~1' }, /^ERROR Nothing to add: nothing is staged, and there is no message/],
])('git_commit refuses %j, and changes nothing', async (args, refusal) => {
  using workspace = await history.copy();
  const elsewhere = await workspace.output(['commit-tree', '-m', 'elsewhere', 'HEAD^{tree}']);
  await workspace.git.branch(['side', elsewhere]);
  const before = await workspace.state();
  expect(await commit(workspace, args)).toMatch(refusal);
  expect(await workspace.state()).toBe(before);
});

test('git_commit with fixup runs no program of the repository', async () => {
  using workspace = await history.copy();
  const program = workspace.program();
  workspace.put('.gitattributes', '* filter=evil merge=evil diff=evil\n');
  await workspace.git.add('.gitattributes');
  for (const key of ['filter.evil.clean', 'filter.evil.smudge', 'merge.evil.driver', 'diff.evil.textconv'])
    await workspace.git.addConfig(key, program);
  for (const hook of ['post-rewrite', 'pre-commit', 'commit-msg', 'reference-transaction'])
    workspace.hook(hook);
  expect(await commit(workspace, { fixup: 'HEAD~2' })).toMatch(/^Fixed up /);
  expect(readdirSync(workspace.marks)).toEqual([]);
});
