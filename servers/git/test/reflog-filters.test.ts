import { beforeAll, expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

/** Movements on four days in January, of which the third goes back to the first commit. */
const template = new WorkspaceTemplate({ 'a.txt': 'a\n' }, async (workspace) => {
  const on = (day: number) =>
    Object.assign(workspace.environment, {
      TZ: 'UTC',
      GIT_AUTHOR_DATE: `2026-01-0${day}T12:00:00Z`,
      GIT_COMMITTER_DATE: `2026-01-0${day}T12:00:00Z`,
      GIT_AUTHOR_NAME: day === 3 ? 'Eve' : 'Ada',
    });
  on(3);
  await workspace.commit('Add the parser\n\nIt reads dates.', { 'b.txt': 'b\n' });
  on(4);
  await workspace.commit('fix', { 'a.txt': 'b\n' });
  on(5);
  await workspace.git.raw(['reset', '-q', '--hard', 'HEAD~2']);
  on(6);
  await workspace.git.raw(['merge', '-q', '--ff-only', 'HEAD@{1}']);
});

let workspace: Workspace;
beforeAll(async () => {
  workspace = await template.copy();
  workspace.environment['TZ'] = 'UTC';
  return () => workspace[Symbol.dispose]();
});

async function reflog(args: Record<string, unknown>): Promise<string> {
  await using client = await workspace.connect();
  return await workspace.callText(client, 'git_log', { reflog: true, ...args });
}
const numbers = async (args: Record<string, unknown>) =>
  [...(await reflog(args)).matchAll(/^HEAD@\{(\d+)\}/gm)].map(([, number]) => Number(number));

test('a reflog shows when HEAD was moved, and not the dates of commits', async () => {
  const lines = (await reflog({})).split('\n');
  expect(lines.map((line) => /^(HEAD@\{\d\}) \w{10} (\S+)/.exec(line)?.slice(1).join(' '))).toEqual([
    'HEAD@{0} 2026-01-06T12:00',
    'HEAD@{1} 2026-01-05T12:00',
    'HEAD@{2} 2026-01-04T12:00',
    'HEAD@{3} 2026-01-03T12:00',
    'HEAD@{4} 2026-01-02T03:04',
    undefined,
  ]);
});

test.each([
  [{ start_timestamp: '2026-01-05' }, [0, 1]],
  [{ end_timestamp: '2026-01-03' }, [3, 4]],
  [{ start_timestamp: '2026-01-04', end_timestamp: '2026-01-05' }, [1, 2]],
  [{ start_timestamp: '1900', end_timestamp: '9999-12-31' }, [0, 1, 2, 3, 4]],
  [{ start_timestamp: '2100' }, []],
  [{ start_timestamp: '2 years ago', end_timestamp: '2026-01-02T12:00:00Z' }, [4]],
  [{ grep: 'RESET: moving' }, [1]],
  [{ grep: 'reads dates' }, [3]],
  [{ author: 'eve' }, [3]],
  [{ author: 'ada@example.com', grep: 'fix' }, [0, 2]],
  [{ author: 'nobody' }, []],
] as const)(
  'a reflog with %j has the movements that match, under their own numbers',
  async (args, expected) => {
    expect(await numbers(args)).toEqual(expected);
  },
);

test('the pages of a filtered reflog add up', async () => {
  const first = await reflog({ author: 'Ada <', max_count: 2 });
  expect(first).toMatch(/^HEAD@\{0\} [^]*\nHEAD@\{1\} [^]*\n… more with cursor "2"$/);
  expect(await reflog({ author: 'Ada <', max_count: 2, cursor: '2' })).toMatch(
    /^HEAD@\{2\} [^]*\nHEAD@\{4\} [^]*\n4 movements in all$/,
  );
  expect(await reflog({ grep: 'nowhere' })).toBe('No entry of the reflog matches');
});

test.each([
  [{ path: 'a.txt' }, 'path'],
  [{ all: true }, 'all'],
  [{ full: true }, 'full'],
  [{ changed_text: 'x', path: 'a.txt' }, 'path, changed_text'],
  [{ changed_regexp: 'x' }, 'changed_regexp'],
  [{ lines: '1-2', function: 'f', path: 'a.txt' }, 'path, lines, function'],
])('a reflog refuses %j by name', async (args, names) => {
  expect(await reflog(args)).toBe(`ERROR Invalid arguments: reflog takes no ${names}`);
});

test('a reflog refuses dates that do not exist', async () => {
  expect(await reflog({ start_timestamp: '2026-02-30' })).toMatch(/^ERROR Invalid date/);
});
