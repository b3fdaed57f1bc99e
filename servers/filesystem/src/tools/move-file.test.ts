import { existsSync, linkSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

async function openWorkspace(files: Record<string, string>) {
  const workspace = new Workspace(files);
  const client = await workspace.connect();
  const move = (source: string, destination: string) =>
    workspace.say(client, 'move_file', { source, destination });
  return { workspace, client, move };
}

const moved = (source: string, destination: string) =>
  `Moved ${source} to ${destination}\nUndo: move_file with source and destination exchanged`;

test('move_file moves a file and a directory with its content', async () => {
  const { workspace, client, move } = await openWorkspace({
    'a.txt': 'A',
    'sub/b.txt': 'B',
    'other/c.txt': '',
  });
  using _ = workspace;
  await using _client = client;
  expect(await move('a.txt', 'sub/a.txt')).toEqual([moved('a.txt', 'sub/a.txt')]);
  expect(await move('sub', 'other/sub')).toEqual([moved('sub', 'other/sub')]);
  expect(readFileSync(join(workspace.root, 'other/sub/a.txt'), 'utf8')).toBe('A');
  expect(await move('other/', 'renamed/')).toEqual([moved('other', 'renamed')]);
  expect(readdirSync(workspace.root)).toEqual(['renamed']);
});

test('move_file overwrites nothing, not even an empty directory', async () => {
  const files = { 'a.txt': 'A', 'b.txt': 'B', 'dir/c.txt': 'C' };
  const { workspace, client, move } = await openWorkspace({ ...files, 'empty/x': '' });
  using _ = workspace;
  await using _client = client;
  await client.callTool('delete_file', { path: 'empty/x' });
  for (const destination of ['b.txt', 'dir', 'empty', 'a.txt']) {
    const [error, message] = await move('a.txt', destination);
    expect([error, message?.split(';')[0]]).toEqual(['ERROR', `Already exists: "${destination}"`]);
  }
  for (const destination of ['a.txt', 'empty']) {
    const [error, message] = await move('dir', destination);
    expect([error, message?.split(';')[0]]).toEqual(['ERROR', `Already exists: "${destination}"`]);
  }
  linkSync(join(workspace.root, 'a.txt'), join(workspace.root, 'same'));
  expect(await move('a.txt', 'same')).toEqual(['ERROR', 'Already exists: "same"']);
  expect(await move('a.txt', 'a.txt/')).toEqual(['ERROR', 'Not a directory: "a.txt/"']);
  for (const [path, content] of Object.entries(files))
    expect(readFileSync(join(workspace.root, path), 'utf8')).toBe(content);
});

test('move_file moves a link and not its target', async () => {
  const { workspace, client, move } = await openWorkspace({ 'sub/x': '' });
  using _ = workspace;
  await using _client = client;
  symlinkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'link_file'));
  symlinkSync('nowhere', join(workspace.root, 'dangling'));
  expect(await move('link_file', 'sub/moved')).toEqual([moved('link_file', 'sub/moved')]);
  expect(await move('dangling', 'moved')).toEqual([moved('dangling', 'moved')]);
  expect(readlinkSync(join(workspace.root, 'sub/moved'))).toBe(join(workspace.outside, 'secret.txt'));
  expect(readlinkSync(join(workspace.root, 'moved'))).toBe('nowhere');
  expect(workspace.outsideNames).toEqual(['secret.txt']);
});

test('move_file moves nothing out of the allowed directories and nothing into them', async () => {
  const { workspace, client, move } = await openWorkspace({ 'a.txt': 'A' });
  using _ = workspace;
  await using _client = client;
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  symlinkSync(join(workspace.outside, 'new'), join(workspace.root, 'dangling'));
  for (const path of ['out/a.txt', '../outside/a.txt', '../a.txt', '/tmp/mcp-moved']) {
    expect(await move('a.txt', path)).toEqual(['ERROR', `Outside the allowed directories: "${path}"`]);
  }
  expect(await move('a.txt', 'dangling')).toEqual(['ERROR', 'Already exists: "dangling"']);
  expect(await move('out/secret.txt', 'stolen')).toEqual([
    'ERROR',
    'Outside the allowed directories: "out/secret.txt"',
  ]);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
  expect(existsSync(join(workspace.root, 'a.txt'))).toBe(true);
});

test('move_file reports a missing path and refuses to move a directory into itself', async () => {
  const { workspace, client, move } = await openWorkspace({ 'sub/b.txt': '' });
  using _ = workspace;
  await using _client = client;
  expect(await move('missing', 'x')).toEqual(['ERROR', 'No such file: "missing"']);
  expect(await move('sub', 'no/sub')).toEqual([
    'ERROR',
    'No such directory: "no"; create this directory first',
  ]);
  expect(await move('sub', 'sub/deeper')).toEqual(['ERROR', 'Cannot move a directory into itself: "sub"']);
  expect(await move('sub/b.txt', 'sub/b.txt/c')).toEqual(['ERROR', 'Not a directory: "sub/b.txt"']);
});

test.each(['move_file', 'copy_file'])('%s with path names source', async (tool) => {
  using workspace = new Workspace({ a: '' });
  await using client = await workspace.connect();
  expect((await workspace.say(client, tool, { path: 'a', destination: 'b' }))[1]).toMatch(
    /Unknown argument "path"\. Give "source" instead of "path"\. Accepted arguments: /,
  );
});
