import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

async function openWorkspace(files: Record<string, string>) {
  const workspace = new Workspace(files);
  const client = await workspace.connect();
  const remove = (path: string, recursive = false) =>
    workspace.say(client, 'delete_file', { path, recursive });
  return { workspace, client, remove };
}

test('delete_file deletes a directory that is not empty only with recursive', async () => {
  const { workspace, client, remove } = await openWorkspace({
    'a.txt': '',
    'dir/b.txt': '',
    'dir/sub/c.txt': '',
  });
  using _ = workspace;
  await using _client = client;
  expect(await remove('a.txt')).toEqual(['Permanently deleted a.txt']);
  expect(await remove('dir')).toEqual([
    'ERROR',
    'Directory not empty; set recursive to delete its content too: "dir"',
  ]);
  expect(existsSync(join(workspace.root, 'dir/sub/c.txt'))).toBe(true);
  expect(await remove('dir', true)).toEqual(['Permanently deleted dir and 3 entries in it']);
  await client.callTool('create_directory', { path: 'empty' });
  expect(await remove('empty/')).toEqual(['Permanently deleted empty']);
  expect(await remove('empty')).toEqual(['ERROR', 'No such file: "empty"']);
  expect(readdirSync(workspace.root)).toEqual([]);
});

test('delete_file deletes a link and not its target', async () => {
  const { workspace, client, remove } = await openWorkspace({ 'dir/a.txt': '' });
  using _ = workspace;
  await using _client = client;
  symlinkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'link_file'));
  symlinkSync(workspace.outside, join(workspace.root, 'link_dir'));
  symlinkSync(workspace.outside, join(workspace.root, 'dir/link'));
  expect(await remove('link_dir/secret.txt')).toEqual([
    'ERROR',
    'Outside the allowed directories: "link_dir/secret.txt"',
  ]);
  expect(await remove('link_dir/', true)).toEqual(['ERROR', 'Not a directory: "link_dir/"']);
  expect(await remove('link_file')).toEqual(['Permanently deleted link_file']);
  expect(await remove('link_dir', true)).toEqual(['Permanently deleted link_dir']);
  expect(await remove('dir', true)).toEqual(['Permanently deleted dir and 2 entries in it']);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
  expect(readdirSync(workspace.root)).toEqual([]);
});

test('an allowed directory and its parents can be neither deleted nor moved', async () => {
  using workspace = new Workspace({ 'sub/deep/a.txt': '' });
  const sandbox = workspace.open({
    directories: [workspace.root, join(workspace.root, 'sub/deep')],
  });
  const refused = async (work: Promise<unknown>) => {
    const { message } = await work.then(
      () => new Error('nothing went wrong'),
      (error: Error) => error,
    );
    return message.replaceAll(workspace.base, '');
  };
  for (const path of ['.', workspace.root, 'sub/..']) {
    expect(await refused(sandbox.delete(path, { recursive: true }))).toMatch(
      /^Is an allowed directory, which cannot be moved, replaced or deleted: /,
    );
    expect(await refused(sandbox.move(path, 'elsewhere'))).toMatch(
      /^Is an allowed directory, which cannot be moved, replaced or deleted: /,
    );
  }
  const deep = `${workspace.root}/sub/deep`;
  expect(await refused(sandbox.delete(deep, { recursive: true }))).toMatch(/^Is an allowed directory/);
  for (const work of [
    () => sandbox.delete('sub', { recursive: true }),
    () => sandbox.move('sub', 'elsewhere'),
  ]) {
    expect(await refused(work())).toBe(
      'Contains an allowed directory, which cannot be moved or deleted: "sub"',
    );
  }
  expect(existsSync(join(workspace.root, 'sub/deep/a.txt'))).toBe(true);
});

test('delete_file deletes a directory that contains names that are not UTF-8', async () => {
  const { workspace, client, remove } = await openWorkspace({ 'dir/a.txt': '' });
  using _ = workspace;
  await using _client = client;
  const bad = Buffer.concat([Buffer.from(`${workspace.root}/dir/bad`), Buffer.from([0xff])]);
  writeFileSync(bad, '');
  expect(await remove('dir/bad\\xff')).toEqual([
    'ERROR',
    'A file whose name is not UTF-8 can be read but not changed: "dir/bad\\\\xff"',
  ]);
  expect(await remove('dir', true)).toEqual(['Permanently deleted dir and 2 entries in it']);
});
