import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import { Client, HttpChannel, serverAt, SseChannel } from '@mcp/protocol/client';
import { serveHttp } from '@mcp/protocol/http';
import { versions } from '../src/revisions/table.ts';
import { isPipe, socketAddressOf, socketUrl } from '../src/http/wire/socket-url.ts';
import { fixtureProgram } from './fixtures/fixture-program.ts';

/** The longest path of a socket. */
const maxBytes = process.platform === 'darwin' ? 103 : 107;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'socket-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const server = () => defineServer({ name: 'hello', version: '1.0.0', tools: [hello] });
const called = async (client: Client) => (await client.callTool('hello')).content;
const greeting = [{ type: 'text', text: 'Hello' }];

// Windows has named pipes in place of sockets.
describe.skipIf(process.platform === 'win32')('a server at a Unix socket', () => {
  test.each(versions)('is called at %s', async (revision) => {
    const listener = await serveHttp(server(), { socketPath: join(directory, 'a b#%.sock') });
    expect(listener.url).toBe(`unix://${directory}/a%20b%23%25.sock#/mcp`);
    await using client = await Client.connect(serverAt(listener.url), { revision });
    expect(client.revision).toBe(revision);
    expect(await called(client)).toEqual(greeting);
    await client.close();
    await listener.close();
    expect(existsSync(join(directory, 'a b#%.sock'))).toBe(false);
  });

  test('is called over HTTP+SSE, and with headers', async () => {
    const sse = { path: '/sse', postPath: '/messages' };
    const socketPath = join(directory, 's');
    const listener = await serveHttp(server(), { socketPath, sse, token: 'secret' });
    const headers = { authorization: 'Bearer secret' };
    await using old = await Client.connect(new SseChannel(`unix://${socketPath}#/sse`, { headers }));
    expect(await called(old)).toEqual(greeting);
    await old.close();
    await expect(Client.connect(new HttpChannel(listener.url))).rejects.toThrow('A valid token is needed');
    await listener.close();
  });

  test('accepts connections of its user alone', async () => {
    const socketPath = join(directory, 's');
    const before = process.umask(0);
    const listener = await serveHttp(server(), { socketPath }).finally(() => process.umask(before));
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    writeFileSync(join(directory, 'file'), '');
    expect(statSync(join(directory, 'file')).mode & 0o777).toBe(0o666 & ~before);
    await listener.close();
  });

  test('takes any name in Host, and no page of the web', async () => {
    const socketPath = join(directory, 's');
    const listener = await serveHttp(server(), { socketPath });
    const statusOf = async (headers: object) => {
      const asked = request({ socketPath, path: '/mcp', headers: { ...headers } }).end();
      const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf({ host: 'anything' })).toBe(405);
    expect(await statusOf({ origin: 'https://example.com' })).toBe(403);
    await listener.close();
  });

  test('replaces the socket of a killed process, and no socket in use', async () => {
    const socketPath = join(directory, 's');
    const program = spawn(process.execPath, [fixtureProgram('serve-socket.ts'), socketPath], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(program.stdout, 'data');
    await expect(serveHttp(server(), { socketPath })).rejects.toThrow(
      `Cannot listen on ${socketPath}: another program listens there, or it is a file`,
    );
    program.kill('SIGKILL');
    await once(program, 'exit');
    expect(existsSync(socketPath)).toBe(true);
    const listener = await serveHttp(server(), { socketPath });
    await using client = await Client.connect(serverAt(listener.url));
    expect(await called(client)).toEqual(greeting);
    await client.close();
    await listener.close();
  });

  test('replaces no file and no link', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, 'text');
    symlinkSync(file, join(directory, 'link'));
    for (const socketPath of [file, join(directory, 'link')])
      await expect(serveHttp(server(), { socketPath })).rejects.toThrow(
        'another program listens there, or it is a file',
      );
    expect(statSync(file).size).toBe(4);
  });

  test('deletes at its end no file that is in the place of its socket', async () => {
    const socketPath = join(directory, 's');
    const first = await serveHttp(server(), { socketPath });
    rmSync(socketPath);
    const second = await serveHttp(server(), { socketPath });
    await first.close();
    await using client = await Client.connect(serverAt(second.url));
    expect(await called(client)).toEqual(greeting);
    await client.close();
    rmSync(socketPath);
    writeFileSync(socketPath, 'text');
    await second.close();
    expect(readdirSync(directory)).toEqual(['s']);
    expect(readFileSync(socketPath, 'utf8')).toBe('text');
  });

  test.each([
    ['relative.sock', 'expected an absolute path'],
    ['\0abstract', 'expected an absolute path'],
    ['/tmp/a\0b', 'expected a path without NUL characters'],
    [`/tmp/${'x'.repeat(120)}`, `expected at most ${maxBytes} bytes, not 125`],
    [`/tmp/${'ü'.repeat(60)}`, `expected at most ${maxBytes} bytes, not 125`],
  ])('refuses the path %j', async (socketPath, message) => {
    await expect(serveHttp(server(), { socketPath })).rejects.toThrow(message);
  });

  test('names a missing directory, and two addresses', async () => {
    const socketPath = join(directory, 'missing', 's');
    await expect(serveHttp(server(), { socketPath })).rejects.toThrow('its directory does not exist');
    await expect(serveHttp(server(), { socketPath, port: 1 })).rejects.toThrow('give one address');
  });

  test('reports to a client that nothing listens', async () => {
    const url = `unix://${directory}/gone#/mcp`;
    await expect(Client.connect(serverAt(url))).rejects.toThrow(/ENOENT/);
    const left = createServer().listen(join(directory, 'left'));
    await once(left, 'listening');
    left.close();
  });

  test('takes no fetch and no layer', () => {
    const fetch = () => Promise.reject(new Error('not called'));
    expect(() => serverAt('unix:///a#/mcp', { fetch }).open()).toThrow('a socket takes no `fetch`');
  });
});

test.runIf(process.platform === 'win32')('a server at a named pipe is called', async () => {
  const socketPath = `\\\\.\\pipe\\mcp-test-${process.pid}`;
  const listener = await serveHttp(server(), { socketPath });
  expect(listener.url).toBe(`pipe:///pipe/mcp-test-${process.pid}#/mcp`);
  await using client = await Client.connect(serverAt(listener.url));
  expect(await called(client)).toEqual(greeting);
  await client.close();
  await listener.close();
});

describe('the URL of a socket', () => {
  test.each([
    ['unix:///run/a.sock#/mcp', '/run/a.sock', '/mcp'],
    ['unix:///run/a%20b.sock', '/run/a b.sock', '/'],
    ['unix:/run/a.sock', '/run/a.sock', '/mcp'],
    ['unix:/run/a.sock#/other', '/run/a.sock', '/other'],
    ['pipe:///pipe/notes#/mcp', '\\\\.\\pipe\\notes', '/mcp'],
    ['pipe:/pipe/notes', '\\\\.\\pipe\\notes', '/mcp'],
  ])('%s', (url, socketPath, path) => {
    expect(socketAddressOf(url)).toEqual({ socketPath, path });
    expect(isPipe(socketPath)).toBe(url.startsWith('pipe:'));
    expect(socketAddressOf(socketUrl({ socketPath, path }))).toEqual({ socketPath, path });
  });

  test.skipIf(process.platform === 'win32').each([
    ['unix:///tmp/a%00b#/mcp', 'expected a path without NUL characters'],
    [`unix:///tmp/${'x'.repeat(103)}#/mcp`, `expected at most ${maxBytes} bytes, not 108`],
    [`unix:///tmp/${'%C3%BC'.repeat(60)}#/mcp`, `expected at most ${maxBytes} bytes, not 125`],
  ])('refuses the path of %j', (url, message) => {
    expect(() => serverAt(url)).toThrow(message);
  });

  test.each(['unix://host/a', 'unix:///', 'unix:relative', 'unix:///a?b=c', 'unix:///a#mcp', 'unix:///a%ff'])(
    'refuses %s',
    (url) => {
      expect(() => serverAt(url)).toThrow('Invalid URL of a socket');
    },
  );

  test.each(['file:///a', 'http+unix:///a', 'no URL'])('is no other URL: %s', (url) => {
    expect(() => serverAt(url)).toThrow('expected http:, https:, unix: or pipe:');
  });
});
