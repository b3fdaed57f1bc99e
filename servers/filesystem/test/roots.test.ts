import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/backend/sandbox.ts';
import { filesystem } from '../src/server.ts';
import { heldOpen, Workspace } from './workspace.ts';

const uri = (path: string) => pathToFileURL(path).href;

/** A server of some directories in a world, with a client that works in others. */
async function world(directories: string[], protocolVersion = '2025-11-25') {
  const workspace = new Workspace({ 'one/a.txt': 'one', 'two/b.txt': 'two', 'one/deep/c.txt': 'deep' });
  const warnings: string[] = [];
  const server = filesystem({
    directories: directories.map((path) => join(workspace.root, path)),
    warn: (message) => warnings.push(message.replaceAll(workspace.base, '')),
  });
  const host = { roots: [] as string[], requestedPath: 0 };
  const connected = await connect(server, {
    protocolVersion,
    roots: async () => {
      host.requestedPath++;
      return host.roots.map((each) => ({ uri: each }));
    },
  });
  return {
    workspace,
    warnings,
    host,
    client: connected,
    at: (...path: string[]) => join(workspace.root, ...path),
    async worksIn(...roots: string[]) {
      host.roots = roots;
      connected.notify('notifications/roots/list_changed');
      return (await workspace.say(connected, 'list_allowed_directories'))[0]!.split('\n');
    },
    say: (tool: string, args: Record<string, unknown>) => workspace.say(connected, tool, args),
    async [Symbol.asyncDispose]() {
      await connected.close();
      workspace[Symbol.dispose]();
    },
  };
}

describe.each(['2024-11-05', '2025-11-25'])('F72: what a client works in, at %s,', (protocolVersion) => {
  test('narrows what the operator allows, and never widens it', async () => {
    await using here = await world(['one', 'two'], protocolVersion);
    const { at } = here;
    expect(await here.worksIn(uri(at('one/deep')))).toEqual(['/root/one/deep']);
    expect(await here.say('read_text_file', { path: 'c.txt' })).toEqual(['deep']);
    expect(await here.say('read_text_file', { path: at('one/a.txt') })).toEqual([
      'ERROR',
      'Outside the allowed directories: "/root/one/a.txt"',
    ]);
    expect(await here.say('delete_file', { path: '.', recursive: true })).toMatchObject(['ERROR', {}]);
    // What is wider than the operator's directories is cut to them.
    expect(await here.worksIn(uri(here.workspace.base))).toEqual(['/root/one', '/root/two']);
    expect(await here.worksIn('file:///')).toEqual(['/root/one', '/root/two']);
    expect(await here.worksIn(uri(at('two')), uri(here.workspace.outside))).toEqual(['/root/two']);
    expect(here.warnings).toContain('Root skipped: Outside the allowed directories: "/outside"');
  });

  test('says nothing about what the operator allows when it is elsewhere', async () => {
    await using here = await world(['one', 'two'], protocolVersion);
    for (const roots of [[], [uri(here.workspace.outside)], [uri(here.at('missing'))]])
      expect(await here.worksIn(...roots)).toEqual(['/root/one', '/root/two']);
    expect(
      await here.say('read_text_file', { path: join(here.workspace.outside, 'secret.txt') }),
    ).toMatchObject(['ERROR', expect.stringMatching(/Outside/)]);
  });

  test('is all that is allowed where the operator names nothing', async () => {
    await using here = await world([], protocolVersion);
    expect(await here.worksIn()).toEqual(['No directory is allowed']);
    expect(await here.say('read_text_file', { path: here.at('one/a.txt') })).toEqual([
      'ERROR',
      'No directory is allowed. Name one on the command line of the server, or let the client provide its roots: "/root/one/a.txt"',
    ]);
    expect(await here.worksIn(uri(here.at('two')))).toEqual(['/root/two']);
    expect(await here.say('read_text_file', { path: 'b.txt' })).toEqual(['two']);
    expect(await here.say('read_text_file', { path: '../one/a.txt' })).toMatchObject(['ERROR', {}]);
    expect(await here.worksIn()).toEqual(['No directory is allowed']);
  });

  test('does not lead out by a link', async () => {
    await using here = await world(['one'], protocolVersion);
    symlinkSync(here.workspace.outside, here.at('one/out'));
    expect(await here.worksIn(uri(here.at('one/out')))).toEqual(['/root/one']);
    expect(here.warnings).toContain('Root skipped: Outside the allowed directories: "/root/one/out"');
  });
});

describe('what a client works in, at 2026-07-28,', () => {
  test('is asked in the course of a call where the operator names nothing', async () => {
    await using here = await world([], '2026-07-28');
    here.host.roots = [uri(here.at('two'))];
    expect(await here.say('list_allowed_directories', {})).toEqual(['/root/two']);
    expect(await here.say('read_text_file', { path: 'b.txt' })).toEqual(['two']);
    expect(await here.say('read_text_file', { path: here.at('one/a.txt') })).toEqual([
      'ERROR',
      `Outside the allowed directories: "/root/one/a.txt"`,
    ]);
    expect(await here.say('search_text', { path: '.', text: 'two' })).toEqual(['b.txt\n1: two']);
    await here.say('write_file', { path: 'new.txt', content: 'new' });
    expect((await here.client.readResource(uri(here.at('two/new.txt')))).contents).toMatchObject([
      { text: 'new' },
    ]);
    await expect(here.client.readResource(uri(here.at('one/a.txt')))).rejects.toThrow(/Outside/);
    const { messages } = await here.client.getPrompt('explain_file', { path: 'b.txt' });
    expect(JSON.stringify(messages)).toContain('two/b.txt');

    // Every call asks anew: what it was a moment ago counts for nothing.
    here.host.roots = [];
    expect(await here.say('list_allowed_directories', {})).toEqual(['No directory is allowed']);
    here.host.roots = [uri(here.at('one/deep'))];
    expect(await here.say('read_text_file', { path: 'c.txt' })).toEqual(['deep']);
    expect(heldOpen(here.workspace.base)).toEqual([]);
  });

  test('is not asked where the operator names directories, which stay as they are', async () => {
    await using here = await world(['one'], '2026-07-28');
    here.host.roots = [uri(here.at('two'))];
    expect(await here.say('list_allowed_directories', {})).toEqual(['/root/one']);
    expect(here.host.requestedPath).toBe(0);
  });

  test('is not asked of a client that has none to tell', async () => {
    const server = filesystem({ directories: [] });
    await using client = await connect(server, { protocolVersion: '2026-07-28' });
    const { content } = await client.callTool('list_allowed_directories');
    expect(content).toMatchObject([{ text: 'No directory is allowed' }]);
  });
});

test('F73: roots are decoded once, and those that are no directory are skipped with the reason', async () => {
  using workspace = new Workspace();
  const at = (path: string) => join(workspace.root, path);
  const warnings: string[] = [];
  using sandbox = Sandbox.open({
    directories: [],
    warn: (message) => warnings.push(message.replaceAll(workspace.base, '')),
  });
  mkdirSync(at('a b'));
  mkdirSync(at('100%25'));
  writeFileSync(at('file'), '');
  const roots = [
    uri(at('a b')),
    uri(at('a b')),
    uri(at('100%25')),
    'https://example.com/',
    'file://elsewhere/share',
    'file:///c%3A/temp',
    uri(at('missing')),
    uri(at('file')),
    'file:///a%2Fb',
    'nonsense',
  ];
  expect((await sandbox.within(roots)).directories).toEqual([at('a b'), at('100%25')]);
  expect(warnings).toEqual([
    'Root skipped: Not a file URI: "https://example.com/"',
    'Root skipped: Not a path on this system: "file://elsewhere/share"',
    'Root skipped: No such directory: "/c:/temp"',
    'Root skipped: No such directory: "/root/missing"',
    'Root skipped: Not a directory: "/root/file"',
    'Root skipped: Not a path on this system: "file:///a%2Fb"',
    'Root skipped: Not a file URI: "nonsense"',
  ]);
  const many = Array.from({ length: 1_000 }, (_, index) => uri(at(`many/${index}`)));
  for (let index = 0; index < 1_000; index++) mkdirSync(at(`many/${index}`), { recursive: true });
  expect((await sandbox.within(many)).directories).toHaveLength(100);
  expect(warnings.at(-1)).toBe('Only the first 100 of 1000 roots are used');
});

test('F74: a subscription to what is no root any more ends, and reading it is refused', async () => {
  await using here = await world([]);
  const { at, client } = here;
  await here.worksIn(uri(at('one')), uri(at('two')));
  const told = { one: Promise.withResolvers<void>(), two: 0 };
  let again = Promise.withResolvers<void>();
  let oneTold = 0;
  await client.subscribe(uri(at('one/a.txt')), () => (oneTold++, told.one.resolve()));
  await client.subscribe(uri(at('two/b.txt')), () => (told.two++, again.resolve()));
  expect(await here.worksIn(uri(at('two')))).toEqual(['/root/two']);
  await Promise.all([told.one.promise, again.promise]);
  await expect(client.readResource(uri(at('one/a.txt')))).rejects.toThrow(/Outside the allowed directories/);
  again = Promise.withResolvers<void>();
  writeFileSync(at('one/a.txt'), 'changed');
  writeFileSync(at('two/b.txt'), 'changed');
  await again.promise;
  expect(oneTold).toBe(1);
  expect((await client.readResource(uri(at('two/b.txt')))).contents).toMatchObject([{ text: 'changed' }]);
});

test('F17: what the operator allowed stays, whatever a client works in', async () => {
  await using here = await world(['one', 'one/deep']);
  await here.worksIn(uri(here.at('one')));
  expect(await here.say('delete_file', { path: 'deep', recursive: true })).toEqual([
    'ERROR',
    'Is an allowed directory, which cannot be moved or deleted: "deep"',
  ]);
  expect(existsSync(here.at('one/deep/c.txt'))).toBe(true);
});
