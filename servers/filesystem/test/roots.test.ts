import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/backend/sandbox.ts';
import { filesystem } from '../src/server.ts';
import { heldOpen, Workspace } from './workspace.ts';

const uri = (path: string) => pathToFileURL(path).href;

/** Starts a server with some allowed directories and connects a client that provides roots. */
async function connectedServer(directories: string[], protocolVersion = '2025-11-25') {
  const workspace = new Workspace({ 'one/a.txt': 'one', 'two/b.txt': 'two', 'one/deep/c.txt': 'deep' });
  const warnings: string[] = [];
  const server = filesystem({
    directories: directories.map((path) => join(workspace.root, path)),
    warn: (message) => warnings.push(message.replaceAll(workspace.base, '')),
  });
  const host = { roots: [] as string[], requests: 0 };
  const connected = await connect(server, {
    protocolVersion,
    roots: async () => {
      host.requests++;
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
      const [said = ''] = await workspace.say(connected, 'list_allowed_directories');
      return said.replace(/\n\d+ director(y|ies)$/, '').split('\n');
    },
    say: (tool: string, args: Record<string, unknown>) => workspace.say(connected, tool, args),
    async [Symbol.asyncDispose]() {
      await connected.close();
      workspace[Symbol.dispose]();
    },
  };
}

describe.each(['2024-11-05', '2025-11-25'])('client roots at %s', (protocolVersion) => {
  test('F72: client roots narrow the directories of the operator and never widen them', async () => {
    await using here = await connectedServer(['one', 'two'], protocolVersion);
    const { at } = here;
    expect(await here.worksIn(uri(at('one/deep')))).toEqual(['/root/one/deep']);
    expect(await here.say('read_text_file', { path: 'c.txt' })).toEqual(['deep']);
    expect(await here.say('read_text_file', { path: at('one/a.txt') })).toEqual([
      'ERROR',
      'Outside the allowed directories: "/root/one/a.txt"',
    ]);
    expect(await here.say('delete_file', { path: '.', recursive: true })).toMatchObject(['ERROR', {}]);
    // A root that contains the operator's directories is narrowed to them.
    expect(await here.worksIn(uri(here.workspace.base))).toEqual(['/root/one', '/root/two']);
    expect(await here.worksIn('file:///')).toEqual(['/root/one', '/root/two']);
    expect(await here.worksIn(uri(at('two')), uri(here.workspace.outside))).toEqual(['/root/two']);
    expect(here.warnings).toContain('Root skipped: Outside the allowed directories: "/outside"');
  });

  test('F72: client roots outside the directories of the operator are ignored', async () => {
    await using here = await connectedServer(['one', 'two'], protocolVersion);
    for (const roots of [[], [uri(here.workspace.outside)], [uri(here.at('missing'))]])
      expect(await here.worksIn(...roots)).toEqual(['/root/one', '/root/two']);
    expect(
      await here.say('read_text_file', { path: join(here.workspace.outside, 'secret.txt') }),
    ).toMatchObject(['ERROR', expect.stringMatching(/Outside/)]);
  });

  test('F72: client roots are the only allowed directories when the operator names none', async () => {
    await using here = await connectedServer([], protocolVersion);
    expect(await here.worksIn()).toEqual(['No directory is allowed']);
    expect(await here.say('read_text_file', { path: here.at('one/a.txt') })).toEqual([
      'ERROR',
      'No directory is allowed. Let the client provide a root that can be opened; if it has no roots, name a directory on the command line of the server: "/root/one/a.txt"',
    ]);
    expect(await here.worksIn(uri(here.at('two')))).toEqual(['/root/two']);
    expect(await here.say('read_text_file', { path: 'b.txt' })).toEqual(['two']);
    expect(await here.say('read_text_file', { path: '../one/a.txt' })).toMatchObject(['ERROR', {}]);
    expect(await here.worksIn()).toEqual(['No directory is allowed']);
  });

  test('F72: a client root that is a link out of the directories of the operator is skipped', async () => {
    await using here = await connectedServer(['one'], protocolVersion);
    symlinkSync(here.workspace.outside, here.at('one/out'));
    expect(await here.worksIn(uri(here.at('one/out')))).toEqual(['/root/one']);
    expect(here.warnings).toContain('Root skipped: Outside the allowed directories: "/root/one/out"');
  });
});

describe('client roots at 2026-07-28', () => {
  test('the server requests roots during each call when the operator names no directory', async () => {
    await using here = await connectedServer([], '2026-07-28');
    here.host.roots = [uri(here.at('two'))];
    expect(await here.say('list_allowed_directories', {})).toEqual(['/root/two\n1 directory']);
    expect(await here.say('read_text_file', { path: 'b.txt' })).toEqual(['two']);
    expect(await here.say('read_text_file', { path: here.at('one/a.txt') })).toEqual([
      'ERROR',
      `Outside the allowed directories: "/root/one/a.txt"`,
    ]);
    expect(await here.say('search_text', { path: '.', text: 'two' })).toEqual([
      'b.txt\n1: two\n\n1 line in 1 file',
    ]);
    await here.say('write_file', { path: 'new.txt', content: 'new' });
    expect((await here.client.readResource(uri(here.at('two/new.txt')))).contents).toMatchObject([
      { text: 'new' },
    ]);
    await expect(here.client.readResource(uri(here.at('one/a.txt')))).rejects.toThrow(/Outside/);
    const { messages } = await here.client.getPrompt('explain_file', { path: 'b.txt' });
    expect(JSON.stringify(messages)).toContain('two/b.txt');

    // Each call requests the roots again and uses no earlier answer.
    here.host.roots = [];
    expect(await here.say('list_allowed_directories', {})).toEqual(['No directory is allowed']);
    here.host.roots = [uri(here.at('one/deep'))];
    expect(await here.say('read_text_file', { path: 'c.txt' })).toEqual(['deep']);
    expect(heldOpen(here.workspace.base)).toEqual([]);
  });

  test('the server requests no roots when the operator names directories', async () => {
    await using here = await connectedServer(['one'], '2026-07-28');
    here.host.roots = [uri(here.at('two'))];
    expect(await here.say('list_allowed_directories', {})).toEqual(['/root/one\n1 directory']);
    expect(here.host.requests).toBe(0);
  });

  test('the server requests no roots from a client without the capability', async () => {
    const server = filesystem({ directories: [] });
    await using client = await connect(server, { protocolVersion: '2026-07-28' });
    const { content } = await client.callTool('list_allowed_directories');
    expect(content).toMatchObject([{ text: 'No directory is allowed' }]);
  });
});

test('F73: the URI of a root is decoded once, and an invalid root is skipped with a reason', async () => {
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

test('F74: a subscription in a removed root ends, and reads there are refused', async () => {
  await using here = await connectedServer([]);
  const { at, client } = here;
  await here.worksIn(uri(at('one')), uri(at('two')));
  const notified = { one: Promise.withResolvers<void>(), two: 0 };
  let again = Promise.withResolvers<void>();
  let notificationsOfOne = 0;
  await client.subscribe(uri(at('one/a.txt')), () => (notificationsOfOne++, notified.one.resolve()));
  await client.subscribe(uri(at('two/b.txt')), () => (notified.two++, again.resolve()));
  expect(await here.worksIn(uri(at('two')))).toEqual(['/root/two']);
  await Promise.all([notified.one.promise, again.promise]);
  await expect(client.readResource(uri(at('one/a.txt')))).rejects.toThrow(/Outside the allowed directories/);
  again = Promise.withResolvers<void>();
  writeFileSync(at('one/a.txt'), 'changed');
  writeFileSync(at('two/b.txt'), 'changed');
  await again.promise;
  expect(notificationsOfOne).toBe(1);
  expect((await client.readResource(uri(at('two/b.txt')))).contents).toMatchObject([{ text: 'changed' }]);
});

test('F17: the directories of the operator cannot be deleted, whatever roots the client provides', async () => {
  await using here = await connectedServer(['one', 'one/deep']);
  await here.worksIn(uri(here.at('one')));
  expect(await here.say('delete_file', { path: 'deep', recursive: true })).toEqual([
    'ERROR',
    'Is an allowed directory, which cannot be moved or deleted: "deep"',
  ]);
  expect(existsSync(here.at('one/deep/c.txt'))).toBe(true);
});
