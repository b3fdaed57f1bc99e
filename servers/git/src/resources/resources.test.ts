import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('the resources of a repository are text, and blobs keep their bytes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'sub/x y.bin': Buffer.from([0, 255]) });
  await workspace.git.branch(['feature/x']);
  await workspace.git.addTag('v1');
  workspace.put('a.txt', 'b\n');
  await using client = await workspace.connect();
  const read = async (rest: string) => (await client.readResource(`git://repo/${rest}`)).contents[0];
  expect(await read('status')).toMatchObject({ text: expect.stringContaining(' M a.txt') });
  expect(await read('head')).toMatchObject({ text: expect.stringContaining('"branch": "main"') });
  expect(await read('log?limit=1')).toMatchObject({ text: expect.stringContaining('Ada: first') });
  expect(await read('branches')).toMatchObject({ text: expect.stringContaining('* main') });
  expect(await read('tags')).toMatchObject({ text: expect.stringContaining('v1') });
  expect(await read('diff/unstaged')).toMatchObject({ text: expect.stringContaining('-a\n+b') });
  expect(await read('diff/staged')).toMatchObject({ text: '' });
  expect(await read('commit/HEAD')).toMatchObject({ text: expect.stringContaining('    first') });
  expect(await read('blob/feature%2Fx/a.txt')).toMatchObject({ text: 'a\n', mimeType: 'text/plain' });
  expect(await read('blob/HEAD/sub/x%20y.bin')).toMatchObject({ blob: 'AP8=' });
  expect(await read('blob/HEAD/')).toMatchObject({
    text: '2 entries:\na.txt\nsub/',
    mimeType: 'inode/directory',
  });
});

test('reading a missing resource is an error', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  for (const rest of ['blob/HEAD/missing.txt', 'blob/nowhere/a.txt', 'commit/nowhere']) {
    await expect(client.readResource(`git://repo/${rest}`)).rejects.toThrow(/No such|Git refused/);
  }
  await expect(client.readResource('git://elsewhere/status')).rejects.toThrow('No such resource');
  await expect(client.readResource('git://repo/blob/--all/a.txt')).rejects.toThrow();
});

test('the arguments of resource templates complete to repositories, revisions and paths', async () => {
  using workspace = await Workspace.create({ 'src/main.ts': '', 'src/more.ts': '', 'README.md': '' });
  await workspace.git.branch(['feature/x']);
  await workspace.git.addTag('v1');
  await using client = await workspace.connect();
  const resource = 'git://{repository}/blob/{revision}/{+path}';
  const complete = async (name: string, value: string, others = {}) =>
    (await client.complete({ resource }, { name, value }, others)).values;
  expect(await complete('repository', 're')).toEqual(['repo']);
  expect(await complete('revision', '')).toEqual(['HEAD', 'feature/x', 'main', 'v1']);
  expect(await complete('path', 's', { repository: 'repo', revision: 'HEAD' })).toEqual(['src/']);
  expect(await complete('path', 'src/m')).toEqual(['src/main.ts', 'src/more.ts']);
  expect(await complete('path', '../', { repository: 'repo' })).toEqual([]);
});

test('the list of resources has those of each repository, and the commits of its branches and tags', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addTag('v1');
  await using client = await workspace.connect();
  expect((await client.listResources()).map(({ uri }) => uri)).toEqual([
    'git://repo/status',
    'git://repo/head',
    'git://repo/log',
    'git://repo/branches',
    'git://repo/tags',
    'git://repo/diff/staged',
    'git://repo/diff/unstaged',
    'git://repo/commit/main',
    'git://repo/commit/v1',
    'git://repo/blob/HEAD/',
  ]);
});
