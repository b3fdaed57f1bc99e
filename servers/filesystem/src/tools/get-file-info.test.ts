import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('get_file_info returns kind, size, times and permissions', async () => {
  using workspace = new Workspace();
  const path = workspace.put('a.txt', 'hello');
  chmodSync(path, 0o640);
  utimesSync(path, new Date('2020-01-02T03:04:05Z'), new Date('2021-01-02T03:04:05Z'));
  await using client = await workspace.connect();
  const [text] = await workspace.say(client, 'get_file_info', { path: 'a.txt' });
  expect(text?.split('\n')).toEqual([
    'path: /root/a.txt',
    'kind: file',
    'size: 5',
    'permissions: 640',
    'links: 1',
    expect.stringMatching(/^created: \d{4}-/),
    'modified: 2021-01-02T03:04:05.000Z',
    'accessed: 2020-01-02T03:04:05.000Z',
  ]);
});

test('get_file_info returns a line for each of several paths, and the reason where there is none', async () => {
  using workspace = new Workspace({ 'a b.txt': 'hello', 'c.txt': '' });
  await using client = await workspace.connect();
  mkdirSync(join(workspace.root, 'sub'));
  workspace.letOthersRead();
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  const paths = ['a b.txt', 'missing', 'sub', 'out/secret.txt', 'c.txt'];
  const [text = ''] = await workspace.say(client, 'get_file_info', { paths, hash: true });
  const lines = text.split('\n').map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'));
  const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
  expect(lines).toEqual([
    'kind  size  permissions  links  created  modified  accessed  sha256  path',
    `file  5  644  1  T  T  T  ${sha256('hello')}  a b.txt`,
    expect.stringMatching(/^directory {2}\d+ {2}755 {2}\d+ {2}T {2}T {2}T {2}- {2}sub$/),
    `file  0  644  1  T  T  T  ${sha256('')}  c.txt`,
    'Error for missing: No such file: "missing"',
    'Error for out/secret.txt: Outside the allowed directories: "out/secret.txt"',
    '3 of 5 paths',
  ]);
});

test.each([
  { args: {}, message: 'Give either path or paths' },
  { args: { path: 'a', paths: ['a'] }, message: 'Give either path or paths' },
  { args: { paths: [] }, message: 'paths has 0 paths; expected 1 to 1000' },
  { args: { paths: Array(1_001).fill('a') }, message: 'paths has 1001 paths; expected 1 to 1000' },
  {
    args: { paths: ['a'], compareWith: 'a' },
    message: 'compareWith compares with one path: give path, not paths',
  },
  {
    args: { path: 'a', maxDiff: 9 },
    message: 'maxDiff has no effect without compareWith; give both, or neither',
  },
])('get_file_info refuses wrong arguments with "$message"', async ({ args, message }) => {
  using workspace = new Workspace({ a: '' });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'get_file_info', args)).toEqual(['ERROR', message]);
});

test('get_file_info stops between two of several paths when it is cancelled', async () => {
  using workspace = new Workspace({ a: 'x' });
  await using client = await workspace.connect();
  const controller = new AbortController();
  const progress: number[] = [];
  const cancelled = client.callTool(
    'get_file_info',
    { paths: Array(1_000).fill('a'), hash: true },
    { signal: controller.signal, onProgress: (done) => (progress.push(done), controller.abort()) },
  );
  await expect(cancelled).rejects.toThrow();
  expect(progress[0]).toBeLessThan(1_000);
});

test('get_file_info says that what is no file has no hash', async () => {
  using workspace = new Workspace({ 'd/a.txt': '' });
  await using client = await workspace.connect();
  const [said] = await workspace.say(client, 'get_file_info', { path: 'd', hash: true });
  expect(said).toMatch(/\nsha256: none, because only files have one$/);
  expect((await workspace.say(client, 'get_file_info', { path: 'd' }))[0]).not.toContain('sha256');
});
