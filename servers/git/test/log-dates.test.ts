import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** Commits at the first and the last half minute of 20 January 2026, of January and of 2026, in UTC. */
const times = [
  '2025-12-31T23:59:30Z',
  '2026-01-01T00:00:30Z',
  '2026-01-19T23:59:30Z',
  '2026-01-20T00:00:30Z',
  '2026-01-20T23:59:30Z',
  '2026-01-21T00:00:30Z',
  '2026-01-31T23:59:30Z',
  '2026-02-01T00:00:30Z',
];

test('a date without a time begins with its first second and ends with its last', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.environment['TZ'] = 'UTC';
  const commitAt = (date: string, subject = date) => {
    Object.assign(workspace.environment, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    return workspace.commit(subject);
  };
  for (const date of times) await commitAt(date);
  await commitAt(new Date().toISOString(), 'now');
  await using client = await workspace.connect();
  const between = async (from: string, to: string) => {
    const span = { start_timestamp: from, end_timestamp: to };
    const { commits } = await workspace.log(client, { ...span, max_count: 100 });
    return commits.map(({ message }) => message).toReversed();
  };
  const day = times.slice(3, 5);
  for (const text of [
    '2026-01-20',
    '2026/1/20',
    '20260120',
    '20.01.2026',
    'Jan 20, 2026',
    '20th of January 2026',
  ]) {
    expect(await between(text, text), text).toEqual(day);
  }
  for (const text of ['2026-01', 'January 2026', 'jan 2026']) {
    expect(await between(text, text), text).toEqual(times.slice(1, 7));
  }
  expect(await between('2026', '2026-02')).toEqual(times.slice(1));
  expect(await between('2026-01-20T00:00:30Z', '2026-01-20T23')).toEqual(day.slice(0, 1));
  expect(await between('2026-01-20 00:00:31+00:00', '1768953600')).toEqual(day.slice(1));
  expect(await between('2 hours ago', 'now')).toEqual(['now']);
  expect(await between('yesterday', 'today')).toEqual(['now']);
});

test('a day of the week is the last such day, and a date that git would misread is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.environment['TZ'] = 'UTC';
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const ago = (number: number) => new Date(Date.now() - number * 86_400_000);
  const commitAt = (date: string) => {
    Object.assign(workspace.environment, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    return workspace.commit(date);
  };
  const first = `${ago(3).toISOString().slice(0, 10)}T00:00:30Z`;
  await commitAt(first);
  await using client = await workspace.connect();
  const since = (start_timestamp: string) => workspace.callText(client, 'git_log', { start_timestamp });
  const name = days[ago(3).getUTCDay()]!;
  expect(await since(name)).toContain(first);
  expect(await since(`last ${name.slice(0, 3).toLowerCase()}`)).toContain(first);
  const misread = [
    '2026-02-30',
    '2026-13-01',
    '2026-W04',
    '2026-020',
    '2026-01-20+02:00',
    '3 moons ago',
    '12',
  ];
  for (const text of misread) expect(await since(text), text).toMatch(/^ERROR Invalid date: /);
});
