import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_read_file reads the file of a revision, and lists a directory', async () => {
  using workspace = await Workspace.create({ 'src/a.txt': 'old\n', 'src/deep/b.txt': 'b\n' });
  await workspace.commit('second', { 'src/a.txt': 'new\n' });
  workspace.put('src/a.txt', 'not committed\n');
  await using client = await workspace.connect();
  const read = (args: object) => workspace.callText(client, 'git_read_file', { ...args });
  expect(await read({ path: 'src/a.txt' })).toBe('new\n');
  expect(await read({ path: 'src/a.txt', revision: 'HEAD~1' })).toBe('old\n');
  expect(await read({ path: 'src' })).toBe('2 entries:\na.txt\ndeep/');
  for (const path of ['', '.', './', '/']) expect(await read({ path })).toBe('1 entry:\nsrc/');
  expect(await read({ path: './src/' })).toBe('2 entries:\na.txt\ndeep/');
});

test('git_read_file refuses a missing file, an unknown revision and a path outside the tree', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const read = (args: object) => workspace.callText(client, 'git_read_file', { ...args });
  expect(await read({ path: 'missing.txt' })).toBe('ERROR No such file in "HEAD": "missing.txt"');
  expect(await read({ path: 'a.txt', revision: 'nowhere' })).toBe('ERROR No such revision: "nowhere"');
  expect(await read({ path: '../a.txt' })).toBe(
    'ERROR Invalid path inside a revision: "../a.txt"; expected a path relative to the top, without ".."',
  );
});

test('git_read_file truncates a long text, and links to the whole', async () => {
  using workspace = await Workspace.create({ 'long.txt': 'x'.repeat(300 * 1024) });
  await using client = await workspace.connect();
  const { content } = await client.callTool('git_read_file', { path: 'long.txt' });
  const [text, link] = content as readonly { text?: string; uri?: string }[];
  expect(text!.text).toMatch(/^x+\n… cut in line 1 of 1, at 39800 of 307200 characters$/);
  const [whole] = (await client.readResource(link!.uri!)).contents as readonly { text?: string }[];
  expect(whole!.text).toHaveLength(300 * 1024);
});

test('git_read_file lists the first 2,000 names of a directory, and reports the total', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const committer = 'committer Ada <ada@example.com> 1767323045 +0000\n';
  const files = Array.from({ length: 12_000 }, (_, index) => `M 100644 inline large/f${index}\ndata 0\n`);
  await workspace.import(`commit refs/heads/wide\n${committer}data 1\nm\n${files.join('')}`);
  await using client = await workspace.connect();
  const text = await workspace.callText(client, 'git_read_file', { path: 'large', revision: 'wide' });
  expect(text.split('\n')).toHaveLength(2_001);
  expect(text).toMatch(/^12000 entries, of which the first 2000:\n/);
});

test('git_read_file truncates a text between two characters', async () => {
  using workspace = await Workspace.create({ 'long.txt': `x${'é'.repeat(200_000)}` });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_read_file', { path: 'long.txt' })).toMatch(
    /^xé+\n… cut in line 1 of 1, at 39800 of 200001 characters/,
  );
});
