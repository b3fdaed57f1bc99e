import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_blame names the commit of each line', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\ntwo\nthree\n' });
  const first = await workspace.git.revparse('HEAD');
  const second = await workspace.commit('second', { 'a.txt': 'one\n2\nthree\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_blame', { path: 'a.txt', text: true })).toBe(
    [
      `${first.slice(0, 10)} 2026-01-02 Ada: first`,
      '1\tone',
      `${second.slice(0, 10)} 2026-01-02 Ada: second`,
      '2\t2',
      `${first.slice(0, 10)} 2026-01-02 Ada: first`,
      '3\tthree',
      '3 ranges, 3 lines in all',
    ].join('\n'),
  );
  expect(await workspace.callText(client, 'git_blame', { path: 'a.txt', start_line: 2, end_line: 2 })).toBe(
    `2 ${second.slice(0, 10)} 2026-01-02 Ada: second\n1 range, 1 line in all`,
  );
});

test('git_blame shows ranges of lines without their text', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\ntwo\nthree\n' });
  const second = await workspace.commit('second', { 'a.txt': 'one\ntwo\n3\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_blame', { path: 'a.txt' })).toMatch(
    new RegExp(
      `^1-2 [0-9a-f]{10} 2026-01-02 Ada: first\n3 ${second.slice(0, 10)} 2026-01-02 Ada: second\n2 ranges, 3 lines in all$`,
    ),
  );
});

test('git_blame reads the file of a revision, and lines that are not yet committed', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\n' });
  const first = await workspace.git.revparse('HEAD');
  await workspace.commit('second', { 'a.txt': 'two\n' });
  workspace.put('a.txt', 'three\n');
  await using client = await workspace.connect();
  const blame = (args: Record<string, unknown> = {}) =>
    workspace.callText(client, 'git_blame', { path: 'a.txt', ...args });
  expect(await blame({ revision: 'HEAD~1' })).toMatch(new RegExp(`^1 ${first.slice(0, 10)} `));
  expect(await blame()).toMatch(/^1 0000000000 /);
});

test('git_blame continues after 300 lines, and reports the length of the file', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'x\n'.repeat(500) });
  await using client = await workspace.connect();
  const blame = (args: object) =>
    workspace.callText(client, 'git_blame', { path: 'a.txt', text: true, ...args });
  expect(await blame({})).toMatch(/^300\tx\n… 1 range, 300 lines in all; more with start_line 301$/m);
  expect(await blame({ start_line: 301 })).toMatch(/^500\tx\n1 range, 200 lines in all$/m);
  expect(await blame({ start_line: 501 })).toBe('ERROR The file has only 500 lines');
  expect(await blame({ start_line: 3, end_line: 2 })).toBe('ERROR Invalid end_line: it is before start_line');
});
