import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { viewMimeType, viewsCapability } from '@mcp/views';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

// The page, and the tools by which it reads.

type Facts = { readonly [name: string]: unknown };

const show = (workspace: Workspace) => workspace.connect({ extensions: viewsCapability });

async function ask(client: Client, name: string, args: object): Promise<Facts> {
  const { structuredContent, content, isError } = await client.callTool(name, { ...args });
  if (isError) throw new Error((content[0] as { text: string }).text);
  return structuredContent as Facts;
}

test('a client that shows views finds the page of trees, files and edits, and reads it', async () => {
  using workspace = new Workspace();
  await using client = await show(workspace);
  const tools = await client.listTools();
  const views = tools.flatMap(({ name, _meta }) => (_meta?.['ui'] ? [[name, _meta['ui']]] : []));
  expect(views).toEqual([
    ['read_text_file', { resourceUri: 'ui://filesystem/files' }],
    ['list_directory_with_sizes', { resourceUri: 'ui://filesystem/files' }],
    ['directory_tree', { resourceUri: 'ui://filesystem/files' }],
    ['read_sizes', { visibility: ['app'] }],
    ['read_lines', { visibility: ['app'] }],
    ['edit_file', { resourceUri: 'ui://filesystem/files' }],
  ]);
  const { contents } = await client.readResource('ui://filesystem/files');
  expect(contents).toMatchObject([
    { mimeType: viewMimeType, text: expect.stringMatching(/^<!doctype html>/) },
  ]);
  // The limit of the page is 80 kB; it loads nothing else.
  const { text } = contents[0] as { text: string };
  expect(Buffer.byteLength(text)).toBeLessThan(80_000);
  expect(text).not.toMatch(/\b(?:src|href)="|innerHTML|\beval\b|\bFunction\(|<form/);
});

test('entries come with the sizes of all that is in them, the largest first, in pages', async () => {
  using workspace = new Workspace({
    'a.txt': 'a',
    'b/c/d.txt': 'x'.repeat(90),
    'b/e.txt': 'xx',
    'f.txt': 'ff',
  });
  await using client = await show(workspace);
  const { entries, ...facts } = await ask(client, 'read_sizes', { path: '.', limit: 2 });
  expect(entries).toEqual([
    ['b', 'directory', 92, expect.any(Number)],
    ['f.txt', 'file', 2, expect.any(Number)],
  ]);
  expect(facts).toMatchObject({ prefix: '', total: 3, files: 2, filesInside: 2, bytes: 95, unreadable: 0 });
  expect(await ask(client, 'read_sizes', { path: '.', skip: 2 })).toMatchObject({
    entries: [['a.txt', 'file', 1, expect.any(Number)]],
  });
  expect(await ask(client, 'read_sizes', { path: 'b' })).toMatchObject({ path: 'b', prefix: 'b/' });
  await expect(ask(client, 'read_sizes', { path: '../outside' })).rejects.toThrow('Outside');
});

test('lines are counted, cut, and not sent again while the file is the same', async () => {
  using workspace = new Workspace({ 'a.txt': `one\n${'x'.repeat(3_000)}\r\nlast` });
  await using client = await show(workspace);
  const read = await ask(client, 'read_lines', { path: 'a.txt' });
  const { version } = read;
  expect(read).toMatchObject({
    path: 'a.txt',
    size: 3_010,
    lines: ['one', `${'x'.repeat(2_000)}…`, 'last'],
    total: 3,
    more: false,
  });
  expect(await ask(client, 'read_lines', { path: 'a.txt', offset: 2, limit: 1 })).toMatchObject({
    total: 3,
    more: true,
  });
  expect(await ask(client, 'read_lines', { path: 'a.txt', unless: version })).not.toHaveProperty('lines');
  appendFileSync(join(workspace.root, 'a.txt'), '\nmore\n');
  const again = await ask(client, 'read_lines', { path: 'a.txt', offset: 4, unless: version });
  expect(again).toMatchObject({ lines: ['more'], total: 4 });
  expect(await ask(client, 'read_lines', { path: 'a.txt', offset: 9 })).toMatchObject({
    lines: [],
    total: 4,
    more: false,
  });
});

test('lines after one of 10 MB are read, and lines of UTF-16 are counted', async () => {
  const utf16 = Buffer.from('\ufeffone\ntwo\n', 'utf16le');
  using workspace = new Workspace({
    'a.txt': `${'x'.repeat(10_000_000)}\nend\n`,
    'b.txt': utf16,
    'c.txt': '',
  });
  await using client = await show(workspace);
  const first = await ask(client, 'read_lines', { path: 'a.txt' });
  expect(first).toMatchObject({ total: 2, more: true });
  expect(await ask(client, 'read_lines', { path: 'a.txt', offset: 2 })).toMatchObject({ lines: ['end'] });
  expect(await ask(client, 'read_lines', { path: 'b.txt' })).toMatchObject({
    lines: ['one', 'two'],
    total: 2,
  });
  expect(await ask(client, 'read_lines', { path: 'c.txt' })).toMatchObject({ lines: [], total: 0 });
});

test.each(['README.md', 'README.zh-CN.md'])('%s says how much larger the list of tools is', async (name) => {
  using workspace = new Workspace();
  const sizeWith = async (options: object) => {
    await using client = await workspace.connect(options);
    return Buffer.byteLength(JSON.stringify(await client.listTools()));
  };
  const more = (await sizeWith({ extensions: viewsCapability })) - (await sizeWith({}));
  const readme = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  expect(readme).toContain(` ${more.toLocaleString('en')} `);
});
