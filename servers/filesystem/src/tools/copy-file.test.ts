import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

async function world(files: Record<string, string>) {
  const workspace = new Workspace(files);
  const client = await workspace.connect();
  const copy = (source: string, destination: string) =>
    workspace.say(client, 'copy_file', { source, destination });
  return { workspace, client, copy };
}

test('copies a file with its mode, or a directory with all it holds', async () => {
  const { workspace, client, copy } = await world({ 'a.sh': 'A', 'dir/b.txt': 'B', 'dir/sub/c.txt': 'C' });
  using _ = workspace;
  await using _client = client;
  chmodSync(join(workspace.root, 'a.sh'), 0o4755);
  expect(await copy('a.sh', 'dir/a.sh')).toEqual(['Copied /root/a.sh to /root/dir/a.sh']);
  expect(statSync(join(workspace.root, 'dir/a.sh')).mode & 0o7777).toBe(0o755);
  expect(await copy('dir', 'copy')).toEqual([
    'Copied /root/dir to /root/copy (3 files, 2 directories, 0 links)',
  ]);
  expect(readFileSync(join(workspace.root, 'copy/sub/c.txt'), 'utf8')).toBe('C');
  expect(readdirSync(join(workspace.root, 'copy')).sort()).toEqual(['a.sh', 'b.txt', 'sub']);
});

test('overwrites nothing and copies nothing into itself', async () => {
  const { workspace, client, copy } = await world({ 'a.txt': 'A', 'b.txt': 'B', 'dir/c.txt': 'C' });
  using _ = workspace;
  await using _client = client;
  for (const [source, destination] of [
    ['a.txt', 'b.txt'],
    ['a.txt', 'dir'],
    ['dir', 'a.txt'],
    ['a.txt', 'a.txt'],
  ] as const) {
    expect(await copy(source, destination)).toEqual(['ERROR', `Already exists: "${destination}"`]);
  }
  expect(await copy('dir', 'dir/sub')).toEqual(['ERROR', 'Cannot be copied into itself: "dir"']);
  expect(await copy('missing', 'x')).toEqual(['ERROR', 'No such file: "missing"']);
  expect(await copy('a.txt', 'no/a.txt')).toEqual(['ERROR', 'No such directory: "no"']);
  expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('B');
});

test('F40 copies a link in a directory as a link, and nothing from outside', async () => {
  const { workspace, client, copy } = await world({ 'dir/a.txt': 'A' });
  using _ = workspace;
  await using _client = client;
  symlinkSync(workspace.outside, join(workspace.root, 'dir/out'));
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  expect(await copy('dir', 'copy')).toEqual([
    'Copied /root/dir to /root/copy (1 files, 1 directories, 1 links)',
  ]);
  expect(readlinkSync(join(workspace.root, 'copy/out'))).toBe(workspace.outside);
  expect(await copy('out', 'x')).toEqual(['ERROR', 'Outside the allowed directories: "out"']);
  expect(await copy('dir/a.txt', 'out/a.txt')).toEqual([
    'ERROR',
    'Outside the allowed directories: "out/a.txt"',
  ]);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
});

test('F76 refuses what is no regular file, and leaves it out of a directory', async () => {
  const { workspace, client, copy } = await world({ 'dir/a.txt': 'A' });
  using _ = workspace;
  await using _client = client;
  execFileSync('mkfifo', [join(workspace.root, 'dir/fifo')]);
  expect(await copy('dir/fifo', 'x')).toEqual(['ERROR', 'Not a regular file but a fifo: "dir/fifo"']);
  expect(await copy('dir', 'copy')).toEqual([
    'Copied /root/dir to /root/copy (1 files, 1 directories, 0 links)\nLeft out: fifo',
  ]);
});
