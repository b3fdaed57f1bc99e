import { linkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const files = { 'a.ts': '', 'a.md': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'node_modules/d.ts': '' };

test('search_files matches a pattern at any depth or from one directory', async () => {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const search = (pattern: string, excludePatterns: string[] = []) =>
    workspace.say(client, 'search_files', { path: '.', pattern, excludePatterns });
  expect(await search('*.ts')).toEqual(['a.ts\nsrc/b.ts\nsrc/deep/c.ts\n3 matches']);
  expect(await search('src/*.ts')).toEqual(['src/b.ts\n1 match']);
  expect(await search('src/**')).toEqual(['src/b.ts\nsrc/deep/\nsrc/deep/c.ts\n3 matches']);
  expect(await search('**/*.ts', ['src/deep'])).toEqual(['a.ts\nsrc/b.ts\n2 matches']);
  expect(await search('node_modules/*')).toEqual(['node_modules/d.ts\n1 match']);
  expect(await search('nothing')).toEqual(['No match; set includeIgnored to find ignored paths too']);
});

test('search_files refuses to skip all matches', async () => {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const search = (pattern: string, skip: number) => workspace.say(client, 'search_files', { pattern, skip });
  expect(await search('*.ts', 3)).toEqual(['ERROR', 'skip is 3, and there are only 3 matches']);
  expect(await search('*.md', 5)).toEqual(['ERROR', 'skip is 5, and there is only 1 match']);
  expect(await search('*.ts', 2)).toEqual(['src/deep/c.ts\nMatches 3 to 3 of 3']);
});

test('search_files refuses a pattern that is too long', async () => {
  using workspace = new Workspace({ ['a'.repeat(120)]: '' });
  await using client = await workspace.connect();
  const [error] = await workspace.say(client, 'search_files', { path: '.', pattern: '{a,b}'.repeat(1_000) });
  expect(error).toBe('ERROR');
});

test('search_files stops when the request is cancelled', async () => {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const stop = new AbortController();
  const searching = client.callTool('search_files', { path: '.', pattern: '**' }, { signal: stop.signal });
  stop.abort(new Error('Enough'));
  await expect(searching).rejects.toThrow('Enough');
  expect(await workspace.say(client, 'search_files', { path: '.', pattern: 'a.md' })).toEqual([
    'a.md\n1 match',
  ]);
});

test('search_files reads a time without an offset as UTC, as it shows times, in every time zone', async () => {
  using workspace = new Workspace({ a: '' });
  await using client = await workspace.connect();
  utimesSync(join(workspace.root, 'a'), new Date(0), new Date('2026-01-20T10:00Z'));
  vi.stubEnv('TZ', 'Asia/Kolkata');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date('2026-01-20').getHours()).toBe(5);
  const search = (args: object) =>
    workspace.say(client, 'search_files', { pattern: 'a', sortBy: 'modified', ...args });
  for (const time of [
    '2026',
    '2026-01-20',
    '2026-01-20T10:00',
    '2026-01-20 10:00:00.0',
    '2026-01-20T11:00+0100',
  ])
    expect(await search({ modifiedAfter: time }), time).toEqual(['a  0  2026-01-20T10:00:00Z\n1 match']);
  for (const time of ['2026-01-20T10:01', '2026-01-20T10:00-00:01'])
    expect((await search({ modifiedAfter: time })).join(), time).toMatch(/^No match/);
});

test.each(['3', '2026-02-30', '2026-1-20', '20 Jan 2026', 'yesterday', '2026-01-20T25:00', ''])(
  'search_files refuses %j as a time',
  async (modifiedAfter) => {
    using workspace = new Workspace({ a: '' });
    await using client = await workspace.connect();
    expect(await workspace.say(client, 'search_files', { pattern: 'a', modifiedAfter })).toEqual([
      'ERROR',
      `Invalid time: ${JSON.stringify(modifiedAfter)}; expected ISO 8601, such as 2026-11-20 or 2026-11-20T14:45+01:00, or an age: 30min, 12h, 2d, 1w`,
    ]);
  },
);

test('search_files with duplicates counts hard links of one file once', async () => {
  using workspace = new Workspace({ a: 'same', d: 'same', alone: 'only' });
  for (const [name, other] of [
    ['a', 'b'],
    ['alone', 'alone2'],
  ] as const)
    linkSync(join(workspace.root, name), join(workspace.root, other));
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'search_files', { pattern: '*', duplicates: true })).toEqual([
    '4 bytes\na\nb  hard link of a\nd\n\n1 group; 2 files, 4 bytes redundant',
  ]);
});
