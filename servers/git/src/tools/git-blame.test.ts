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
      '    1\tone',
      `${second.slice(0, 10)} 2026-01-02 Ada: second`,
      '    2\t2',
      `${first.slice(0, 10)} 2026-01-02 Ada: first`,
      '    3\tthree',
    ].join('\n'),
  );
  expect(
    (await workspace.callStructured(client, 'git_blame', { path: 'a.txt', start_line: 2, end_line: 2 }))
      .hunks,
  ).toEqual([
    {
      hash: second,
      author: 'Ada',
      email: 'ada@example.com',
      date: '2026-01-02T03:04:05Z',
      subject: 'second',
      line: 2,
      end: 2,
    },
  ]);
});

test('git_blame shows ranges of lines without their text', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\ntwo\nthree\n' });
  const second = await workspace.commit('second', { 'a.txt': 'one\ntwo\n3\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_blame', { path: 'a.txt' })).toMatch(
    new RegExp(`^1-2 [0-9a-f]{10} 2026-01-02 Ada: first\n3 ${second.slice(0, 10)} 2026-01-02 Ada: second$`),
  );
});

test('git_blame reads the file of a revision, and lines that are not yet committed', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\n' });
  const first = await workspace.git.revparse('HEAD');
  await workspace.commit('second', { 'a.txt': 'two\n' });
  workspace.put('a.txt', 'three\n');
  await using client = await workspace.connect();
  const blame = async (args: Record<string, unknown> = {}) =>
    (await workspace.callStructured(client, 'git_blame', { path: 'a.txt', ...args })).hunks;
  expect(await blame({ revision: 'HEAD~1' })).toMatchObject([{ hash: first, line: 1, end: 1 }]);
  expect(await blame()).toMatchObject([{ hash: '0'.repeat(40), line: 1, end: 1 }]);
});

test('git_blame continues after 300 lines, and reports the length of the file', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'x\n'.repeat(500) });
  await using client = await workspace.connect();
  const blame = (args: object) =>
    workspace.callText(client, 'git_blame', { path: 'a.txt', text: true, ...args });
  expect(await blame({})).toMatch(/ {2}300\tx\n… more with start_line 301$/);
  expect(await blame({ start_line: 301 })).toMatch(/ {2}500\tx$/);
  expect(await blame({ start_line: 501 })).toBe('ERROR The file has only 500 lines');
  expect(await blame({ start_line: 3, end_line: 2 })).toBe('ERROR Invalid end_line: it is before start_line');
});
