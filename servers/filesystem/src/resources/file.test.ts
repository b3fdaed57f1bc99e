import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';
import { filesystem } from '../server.ts';
import { Workspace } from '../../test/workspace.ts';

const uriOf = (...path: string[]) => pathToFileURL(join(...path)).href;

test('a resource returns text, bytes or a directory listing', async () => {
  using workspace = new Workspace({ 'a.md': '# A', 'b.bin': new Uint8Array([0, 255]), 'sub/c.txt': '' });
  await using client = await workspace.connect();
  const read = async (name: string) => (await client.readResource(uriOf(workspace.root, name))).contents;
  expect(await read('a.md')).toEqual([
    { uri: uriOf(workspace.root, 'a.md'), mimeType: 'text/markdown', text: '# A' },
  ]);
  expect(await read('b.bin')).toMatchObject([{ mimeType: 'application/octet-stream', blob: 'AP8=' }]);
  expect(await read('.')).toMatchObject([{ mimeType: 'inode/directory', text: 'a.md\nb.bin\nsub/' }]);
});

test('a URI is decoded once, and a URI outside the allowed directories is refused', async () => {
  using workspace = new Workspace({ '%2e%2e': 'a name like any other' });
  await using client = await workspace.connect();
  const root = uriOf(workspace.root);
  for (const path of [
    '%2e%2e/outside/secret.txt',
    '%2E%2e%2foutside%2fsecret.txt',
    '../outside/secret.txt',
  ]) {
    await expect(client.readResource(`${root}/${path}`)).rejects.toThrow(
      /Outside the allowed directories|No such/,
    );
  }
  expect((await client.readResource(`${root}/%252e%252e`)).contents).toMatchObject([
    { text: 'a name like any other' },
  ]);
  await expect(client.readResource(`${root}/a%ff.txt`)).rejects.toThrow('Malformed percent-encoding');
  await expect(client.readResource(`${root}/a%00.txt`)).rejects.toThrow();
});

test('a file URI may name localhost or no host, and every other host is refused', async () => {
  using workspace = new Workspace({ 'a.txt': 'hello' });
  await using client = await workspace.connect();
  const path = `${workspace.root}/a.txt`;
  for (const uri of [`file://${path}`, `file://localhost${path}`]) {
    expect((await client.readResource(uri)).contents).toEqual([
      { uri, mimeType: 'text/plain', text: 'hello' },
    ]);
  }
  for (const uri of [
    `FILE://${path}`,
    `file://evil${path}`,
    `file://localhost.evil${path}`,
    `file:${path}`,
    'file:a.txt',
  ]) {
    await expect(client.readResource(uri)).rejects.toThrow(`No such resource: "${uri}"`);
  }
});

test('`?` and `#` must be percent-encoded to be part of a name', async () => {
  using workspace = new Workspace({ 'a?b#c': 'hello', a: 'not this' });
  await using client = await workspace.connect();
  const uri = `${uriOf(workspace.root)}/a%3Fb%23c`;
  expect((await client.readResource(uri)).contents).toMatchObject([{ text: 'hello' }]);
  await expect(client.readResource(`${uriOf(workspace.root)}/a?b#c`)).rejects.toThrow('No such resource');
});

test('the list of resources contains each allowed directory and its files, with URIs that can be read', async () => {
  const names = ['a b', '#', '?', '%', 'é', 'a\nb'];
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, name])));
  await using client = await workspace.connect();
  const [directory, ...files] = await client.listResources();
  expect(directory).toEqual({
    uri: uriOf(workspace.root),
    name: workspace.root,
    mimeType: 'inode/directory',
  });
  const texts = await Promise.all(
    files.map(async ({ uri }) =>
      (await client.readResource(uri)).contents.map((part) => 'text' in part && part.text),
    ),
  );
  expect(new Set(texts.flat())).toEqual(new Set(names));
});

test('the list of resources has pages, and a change of the list is notified', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `f${index}.txt`);
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, ''])));
  await using client = await workspace.connect({ revision: '2025-11-25' });
  const first = await client.request('resources/list');
  expect(first['resources']).toHaveLength(100);
  expect(first['nextCursor']).toEqual(expect.any(String));
  expect(await client.listResources()).toHaveLength(251);
  const changed = Promise.withResolvers<void>();
  await client.watchList('resources', changed.resolve);
  workspace.put('new.txt');
  await changed.promise;
  expect(await client.listResources()).toHaveLength(252);
});

test('the path of the resource template is completed', async () => {
  using workspace = new Workspace({ 'notes/a.txt': '', 'notes/b.txt': '' });
  await using client = await workspace.connect();
  const typed = `${workspace.root.slice(1)}/no`;
  const complete = (value: string) =>
    client.complete({ resource: 'file:///{+path}' }, { name: 'path', value });
  expect((await complete(typed)).values).toEqual([`${typed}tes/`]);
  expect((await complete(`${typed}tes/`)).values).toEqual([`${typed}tes/a.txt`, `${typed}tes/b.txt`]);
});

describe.each(['2025-11-25', '2026-07-28'])('subscriptions at %s', (revision) => {
  const changes: [string, (path: string) => void][] = [
    ['a write', (path) => writeFileSync(path, 'changed')],
    ['an append', (path) => appendFileSync(path, 'more')],
    [
      'a file renamed over it',
      (path) => (writeFileSync(`${path}.new`, 'new'), renameSync(`${path}.new`, path)),
    ],
    ['its deletion', (path) => rmSync(path)],
  ];

  test.each(changes)('a subscription to a file is notified of %s', async (_, change) => {
    using workspace = new Workspace({ 'a.txt': 'a' });
    await using client = await workspace.connect({ revision });
    const notified = Promise.withResolvers<void>();
    await client.subscribe(uriOf(workspace.root, 'a.txt'), notified.resolve);
    change(join(workspace.root, 'a.txt'));
    await notified.promise;
  });

  test('a subscription is notified of a new file and of a change in a directory', async () => {
    using workspace = new Workspace();
    await using client = await workspace.connect({ revision });
    const file = Promise.withResolvers<void>();
    const directory = Promise.withResolvers<void>();
    await client.subscribe(uriOf(workspace.root, 'new.txt'), file.resolve);
    await client.subscribe(uriOf(workspace.root), directory.resolve);
    workspace.put('new.txt', 'here');
    await Promise.all([file.promise, directory.promise]);
  });

  test('a subscription that has ended is not notified', async () => {
    using workspace = new Workspace({ 'a.txt': 'a', 'b.txt': 'b' });
    await using client = await workspace.connect({ revision });
    let notifications = 0;
    const stop = await client.subscribe(uriOf(workspace.root, 'a.txt'), () => notifications++);
    await stop();
    const witness = Promise.withResolvers<void>();
    await client.subscribe(uriOf(workspace.root, 'b.txt'), witness.resolve);
    workspace.put('a.txt', 'changed');
    workspace.put('b.txt', 'changed');
    await witness.promise;
    expect(notifications).toBe(0);
  });

  test('a subscription outside the allowed directories is refused', async () => {
    using workspace = new Workspace();
    await using client = await workspace.connect({ revision });
    await expect(client.subscribe(uriOf(workspace.outside, 'secret.txt'), () => {})).rejects.toThrow();
  });
});

test('the list of resources contains all of 1,500 files in an allowed directory', async () => {
  const names = Array.from({ length: 1_500 }, (_, index) => `f${index}.txt`);
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, ''])));
  await using client = await workspace.connect();
  const listed = (await client.listResources()).map(({ name }) => name);
  expect(listed.toSorted()).toEqual([workspace.root, ...names].toSorted());
});

test('a deleted allowed directory does not prevent the others from being listed', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  const other = join(workspace.base, 'other');
  mkdirSync(other);
  await using client = await connect(filesystem({ directories: [other, workspace.root] }));
  const names = async () => (await client.listResources()).map(({ name }) => name);
  rmSync(other, { recursive: true });
  expect(await names()).toEqual([other, workspace.root, 'a.txt']);
  const { promise, resolve } = Promise.withResolvers<void>();
  await client.watchList('resources', resolve);
  workspace.put('b.txt');
  await promise;
  expect(await names()).toEqual([other, workspace.root, 'a.txt', 'b.txt']);
  mkdirSync(other);
  writeFileSync(join(other, 'back.txt'), '');
  expect(await names()).toEqual([other, 'back.txt', workspace.root, 'a.txt', 'b.txt']);
});
