import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

async function openWorkspace(files: Record<string, string | Uint8Array>) {
  const workspace = new Workspace(files);
  const client = await workspace.connect();
  const copy = (source: string, destination: string) =>
    workspace.say(client, 'copy_file', { source, destination });
  return { workspace, client, copy };
}

test('copy_file copies a file with its mode and a directory with its content', async () => {
  const { workspace, client, copy } = await openWorkspace({
    'a.sh': 'A',
    'dir/b.txt': 'B',
    'dir/sub/c.txt': 'C',
  });
  using _ = workspace;
  await using _client = client;
  chmodSync(join(workspace.root, 'a.sh'), 0o4755);
  expect(await copy('a.sh', 'dir/a.sh')).toEqual(['Copied a.sh to dir/a.sh\nUndo: delete_file dir/a.sh']);
  expect(statSync(join(workspace.root, 'dir/a.sh')).mode & 0o7777).toBe(0o755);
  expect(await copy('dir', 'copy')).toEqual([
    'Copied dir to copy (3 files, 2 directories)\nUndo: delete_file copy, recursive',
  ]);
  expect(readFileSync(join(workspace.root, 'copy/sub/c.txt'), 'utf8')).toBe('C');
  expect(readdirSync(join(workspace.root, 'copy')).sort()).toEqual(['a.sh', 'b.txt', 'sub']);
});

test('copy_file overwrites nothing and refuses to copy a directory into itself', async () => {
  const { workspace, client, copy } = await openWorkspace({ 'a.txt': 'A', 'b.txt': 'B', 'dir/c.txt': 'C' });
  using _ = workspace;
  await using _client = client;
  for (const [source, destination] of [
    ['a.txt', 'b.txt'],
    ['a.txt', 'dir'],
    ['dir', 'a.txt'],
    ['a.txt', 'a.txt'],
  ] as const) {
    const [error, message] = await copy(source, destination);
    expect([error, message?.split(';')[0]]).toEqual(['ERROR', `Already exists: "${destination}"`]);
  }
  expect(await copy('dir', 'dir/sub')).toEqual(['ERROR', 'Cannot copy a directory into itself: "dir"']);
  expect(await copy('missing', 'x')).toEqual(['ERROR', 'No such file: "missing"']);
  expect(await copy('a.txt', 'no/a.txt')).toEqual([
    'ERROR',
    'No such directory: "no"; create this directory first',
  ]);
  expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('B');
});

test('copy_file copies a link in a directory as a link and copies nothing from outside', async () => {
  const { workspace, client, copy } = await openWorkspace({ 'dir/a.txt': 'A' });
  using _ = workspace;
  await using _client = client;
  symlinkSync(workspace.outside, join(workspace.root, 'dir/out'));
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  expect(await copy('dir', 'copy')).toEqual([
    'Copied dir to copy (1 file, 1 directory, 1 link)\nUndo: delete_file copy, recursive',
  ]);
  expect(readlinkSync(join(workspace.root, 'copy/out'))).toBe(workspace.outside);
  expect(await copy('out', 'x')).toEqual(['ERROR', 'Outside the allowed directories: "out"']);
  expect(await copy('dir/a.txt', 'out/a.txt')).toEqual([
    'ERROR',
    'Outside the allowed directories: "out/a.txt"',
  ]);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
});

test('copy_file refuses a FIFO and skips it in a directory', async () => {
  const { workspace, client, copy } = await openWorkspace({ 'dir/a.txt': 'A' });
  using _ = workspace;
  await using _client = client;
  execFileSync('mkfifo', [join(workspace.root, 'dir/fifo')]);
  expect(await copy('dir/fifo', 'x')).toEqual([
    'ERROR',
    'Not a regular file or directory but a fifo: "dir/fifo"',
  ]);
  expect(await copy('dir', 'copy')).toEqual([
    'Copied dir to copy (1 file, 1 directory)\nSkipped: dir/fifo\nUndo: delete_file copy, recursive',
  ]);
});

test('copy_file grants no further access to a copied directory and keeps the targets of links', async () => {
  const { workspace, client, copy } = await openWorkspace({ 'dir/sub/b.txt': 'B' });
  using _ = workspace;
  await using _client = client;
  const at = (path: string) => join(workspace.root, path);
  chmodSync(at('dir/sub'), 0o500);
  chmodSync(at('dir'), 0o700);
  symlinkSync(Buffer.from('caf\xe9', 'latin1'), at('dir/link'));
  await copy('dir', 'copy');
  expect(['copy', 'copy/sub'].map((path) => statSync(at(path)).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(readlinkSync(at('copy/link'), 'buffer').toString('latin1')).toBe('caf\xe9');
});

test('copy_file copies a large file with its bytes, its mode and its holes', async () => {
  const { workspace, client, copy } = await openWorkspace({ whole: Buffer.alloc(20_000_000, 'whole') });
  using _ = workspace;
  await using _client = client;
  const at = (path: string) => join(workspace.root, path);
  workspace.put('holes', '');
  const fd = openSync(at('holes'), 'r+');
  writeSync(fd, 'middle', 50_000_000);
  ftruncateSync(fd, 100_000_001);
  closeSync(fd);
  for (const name of ['whole', 'holes']) {
    chmodSync(at(name), 0o2751);
    await copy(name, `copy of ${name}`);
    expect(readFileSync(at(`copy of ${name}`)).equals(readFileSync(at(name)))).toBe(true);
    expect(statSync(at(`copy of ${name}`)).mode & 0o7777).toBe(0o751);
  }
  expect(statSync(at('copy of holes')).blocks).toBeLessThan(10_000_000 / 512);
});

test('copy_file copies the content of a file in /proc, whose size is 0', async (context) => {
  const own = `/proc/${process.pid}`;
  context.skip(!existsSync(`${own}/cmdline`), 'The system has no /proc');
  using workspace = new Workspace();
  using sandbox = workspace.open({ directories: [workspace.root, own] });
  await sandbox.copy(`${own}/cmdline`, 'copy');
  expect(readFileSync(join(workspace.root, 'copy'), 'utf8')).toBe(readFileSync(`${own}/cmdline`, 'utf8'));
});

test('copy_file lists the first 100 entries that it skips, and counts the others', async () => {
  const { workspace, client, copy } = await openWorkspace({ 'dir/a.txt': 'A' });
  using _ = workspace;
  await using _client = client;
  const names = Array.from({ length: 103 }, (_each, index) => join(workspace.root, `dir/fifo${index}`));
  execFileSync('mkfifo', names);
  const [said = ''] = await copy('dir', 'copy');
  expect(said.match(/^Skipped: dir\/fifo/gm)).toHaveLength(100);
  expect(said).toContain('\n… 3 more\n');
});
