import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';
import { filesystem } from '../src/server.ts';
import { openDescriptors } from '@mcp/test-kit';
import { Workspace } from './workspace.ts';

const uri = (path: string) => pathToFileURL(path).href;

/** Starts a server with some allowed directories and connects a client that provides roots. */
async function connectedServer(directories: string[], revision = '2025-11-25') {
  const workspace = new Workspace({ 'one/a.txt': 'one', 'two/b.txt': 'two', 'one/deep/c.txt': 'deep' });
  const warnings: string[] = [];
  const server = filesystem({
    directories: directories.map((path) => join(workspace.root, path)),
    warn: (message) => warnings.push(message.replaceAll(workspace.base, '')),
  });
  const host = { roots: [] as string[], requests: 0 };
  const connected = await connect(server, {
    revision,
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

describe.each(['2024-11-05', '2025-11-25'])('client roots at %s', (revision) => {
  test('client roots narrow the directories of the operator and never widen them', async () => {
    await using here = await connectedServer(['one', 'two'], revision);
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

  test('client roots outside the directories of the operator are ignored', async () => {
    await using here = await connectedServer(['one', 'two'], revision);
    for (const roots of [[], [uri(here.workspace.outside)], [uri(here.at('missing'))]])
      expect(await here.worksIn(...roots)).toEqual(['/root/one', '/root/two']);
    expect(
      await here.say('read_text_file', { path: join(here.workspace.outside, 'secret.txt') }),
    ).toMatchObject(['ERROR', expect.stringMatching(/Outside/)]);
  });

  test('client roots are the only allowed directories when the operator names none', async () => {
    await using here = await connectedServer([], revision);
    expect(await here.worksIn()).toEqual([
      'No directory is allowed; name one when the server starts, or as a root of the client',
    ]);
    expect(await here.say('read_text_file', { path: here.at('one/a.txt') })).toEqual([
      'ERROR',
      'No directory is allowed; name one when the server starts, or as a root of the client: "/root/one/a.txt"',
    ]);
    expect(await here.worksIn(uri(here.at('two')))).toEqual(['/root/two']);
    expect(await here.say('read_text_file', { path: 'b.txt' })).toEqual(['two']);
    expect(await here.say('read_text_file', { path: '../one/a.txt' })).toMatchObject(['ERROR', {}]);
    expect(await here.worksIn()).toEqual([
      'No directory is allowed; name one when the server starts, or as a root of the client',
    ]);
  });

  test('a client root that is a link out of the directories of the operator is skipped', async () => {
    await using here = await connectedServer(['one'], revision);
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
      'b.txt\n1\ttwo\n\n1 line in 1 file',
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
    expect(await here.say('list_allowed_directories', {})).toEqual([
      'No directory is allowed; name one when the server starts, or as a root of the client',
    ]);
    here.host.roots = [uri(here.at('one/deep'))];
    expect(await here.say('read_text_file', { path: 'c.txt' })).toEqual(['deep']);
    expect(openDescriptors(here.workspace.base)).toEqual([]);
  });

  test('optional packages are used in the roots', async () => {
    using workspace = new Workspace({ 'a.pdf': 'no document' });
    const documents = () => {
      throw new Error('The package is loaded');
    };
    await using client = await connect(filesystem({ directories: [] }, { documents }), {
      revision: '2026-07-28',
      roots: async () => [{ uri: uri(workspace.root) }],
    });
    expect(await workspace.say(client, 'read_text_file', { path: 'a.pdf' })).toEqual([
      'ERROR',
      'The package is loaded',
    ]);
  });

  test('the server requests no roots when the operator names directories', async () => {
    await using here = await connectedServer(['one'], '2026-07-28');
    here.host.roots = [uri(here.at('two'))];
    expect(await here.say('list_allowed_directories', {})).toEqual(['/root/one\n1 directory']);
    expect(here.host.requests).toBe(0);
  });

  test('the server requests no roots from a client without the capability', async () => {
    const server = filesystem({ directories: [] });
    await using client = await connect(server, { revision: '2026-07-28' });
    const { content } = await client.callTool('list_allowed_directories');
    expect(content).toMatchObject([
      { text: 'No directory is allowed; name one when the server starts, or as a root of the client' },
    ]);
  });
});

test('a subscription in a removed root ends, and reads there are refused', async () => {
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

test('the directories of the operator cannot be deleted, whatever roots the client provides', async () => {
  await using here = await connectedServer(['one', 'one/deep']);
  await here.worksIn(uri(here.at('one')));
  expect(await here.say('delete_file', { path: 'deep', recursive: true })).toEqual([
    'ERROR',
    'Is an allowed directory, which cannot be moved or deleted: "deep"',
  ]);
  expect(existsSync(here.at('one/deep/c.txt'))).toBe(true);
});
