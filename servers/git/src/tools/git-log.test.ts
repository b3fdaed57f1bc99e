import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

/** Four commits by two people, on two days. */
async function history(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': '1\n' });
  workspace.environment['GIT_AUTHOR_NAME'] = 'Grace';
  workspace.environment['GIT_AUTHOR_DATE'] = '2026-02-01T00:00:00+01:00';
  workspace.environment['GIT_COMMITTER_DATE'] = '2026-02-01T00:00:00+01:00';
  await workspace.commit('second', { 'b.txt': 'b\n' });
  await workspace.commit('Fix the third', { 'a.txt': '3\n' });
  await workspace.commit('fourth', { 'b.txt': '4\n' });
  return workspace;
}

test('git_log lists commits from the newest, with hashes, people, dates and messages', async () => {
  using workspace = await history();
  await using client = await workspace.connect();
  const hashes = (await workspace.output(['log', '--format=%H'])).split('\n');
  expect(await workspace.callText(client, 'git_log')).toBe(
    [
      `${hashes[0]!.slice(0, 10)} 2026-02-01 Grace: fourth`,
      `${hashes[1]!.slice(0, 10)} 2026-02-01 Grace: Fix the third`,
      `${hashes[2]!.slice(0, 10)} 2026-02-01 Grace: second`,
      `${hashes[3]!.slice(0, 10)} 2026-01-02 Ada: first`,
      '4 commits',
    ].join('\n'),
  );
  const { commits } = await workspace.log(client, { max_count: 1 });
  expect(commits).toEqual([
    {
      hash: hashes[0],
      parents: [hashes[1]],
      author: { name: 'Grace', email: 'ada@example.com' },
      authored: '2026-02-01T00:00:00+01:00',
      committer: { name: 'Ada', email: 'ada@example.com' },
      message: 'fourth',
    },
  ]);
});

test('git_log filters by revision, range, path, author, message and time', async () => {
  using workspace = await history();
  await using client = await workspace.connect();
  const subjects = async (args: Record<string, unknown>) =>
    (await workspace.log(client, args)).commits.map(({ message }) => message);
  expect(await subjects({ revision: 'HEAD~2' })).toEqual(['second', 'first']);
  expect(await subjects({ revision: 'HEAD~2..HEAD' })).toEqual(['fourth', 'Fix the third']);
  expect(await subjects({ path: 'a.txt' })).toEqual(['Fix the third', 'first']);
  expect(await subjects({ author: 'ada' })).toEqual(['fourth', 'Fix the third', 'second', 'first']);
  expect(await subjects({ author: 'grace' })).toEqual(['fourth', 'Fix the third', 'second']);
  expect(await subjects({ grep: 'FIX' })).toEqual(['Fix the third']);
  expect(await subjects({ end_timestamp: '2026-01-15' })).toEqual(['first']);
  expect(await subjects({ start_timestamp: '2026-01-15' })).toEqual(['fourth', 'Fix the third', 'second']);
  expect(await workspace.callText(client, 'git_log', { grep: 'nothing like it' })).toBe('No commits');
});

test('git_log continues with the cursor', async () => {
  using workspace = await history();
  await using client = await workspace.connect();
  const first = await workspace.callText(client, 'git_log', { max_count: 3 });
  const [, cursor] = /… more with cursor "(.+)"$/.exec(first) ?? [];
  expect(await workspace.callText(client, 'git_log', { max_count: 3, cursor })).toMatch(
    /^\w{10} 2026-01-02 Ada: first\n4 commits in all$/,
  );
});

test('git_log finds the commits that add or remove a literal text, in pages', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.commit('adds', { 'a.txt': 'needle --all\n' });
  await workspace.commit('other', { 'b.txt': 'b\n' });
  await workspace.commit('removes', { 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const find = (args: Record<string, unknown>) => workspace.log(client, args);
  const subjects = ({ commits }: { commits: { message: string }[] }) => commits.map(({ message }) => message);
  expect(subjects(await find({ changed_text: 'needle' }))).toEqual(['removes', 'adds']);
  const first = await find({ changed_text: 'needle', max_count: 1 });
  expect(subjects(first)).toEqual(['removes']);
  const second = await find({ changed_text: 'needle', max_count: 1, cursor: first.nextCursor });
  expect(subjects(second)).toEqual(['adds']);
  expect(subjects(await find({ changed_text: '--all' }))).toEqual(['removes', 'adds']);
  expect(subjects(await find({ changed_text: 'n.*e' }))).toEqual([]);
  expect(await workspace.callText(client, 'git_log', { changed_text: 'a\0b' })).toBe(
    'ERROR Invalid text: it contains a NUL',
  );
});
