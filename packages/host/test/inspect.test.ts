import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Inspector } from '../src/inspect/inspector.ts';
import { MessageLog } from '../src/inspect/message-log.ts';
import { fixture, program, Workspace } from './workspace.ts';

// The page itself is tested in a browser, in test/inspect.test.ts.

const workspace = new Workspace();
let child: ChildProcess;
let url: URL;
let cookie: string;

beforeAll(async () => {
  const words = ['--config', workspace.configuration, 'inspect', 'fix'];
  child = spawn(process.execPath, [program, ...words], {
    env: workspace.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  url = new URL(String(line).trim());
});

afterAll(async () => {
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
  workspace[Symbol.dispose]();
});

type Headers = Readonly<Record<string, string>>;

/** Sends a request as a program does that may set each header. */
async function sent(method: string, path: string, headers: Headers = {}, body = '') {
  const sending = request({ host: '127.0.0.1', port: url.port, method, path, headers }).end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const origin = () => ({ cookie, origin: url.origin });
const act = async (value: object) =>
  JSON.parse((await sent('POST', '/do', origin(), JSON.stringify(value))).body) as {
    result?: unknown;
    error?: { message: string };
  };

test('the token of the URL lets one browser in, once', async () => {
  expect(url.hostname).toBe('127.0.0.1');
  expect((await sent('GET', '/')).status).toBe(403);
  expect((await sent('GET', '/?token=wrong')).status).toBe(403);
  const first = await sent('GET', url.pathname + url.search);
  expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
  const [given = ''] = first.headers['set-cookie'] ?? [];
  expect(given).toMatch(/^mcp-inspect-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
  cookie = given.split(';')[0]!;
  expect((await sent('GET', url.pathname + url.search)).status).toBe(403);
  const page = await sent('GET', '/', { cookie });
  expect(page.status).toBe(200);
  expect(page.body).toContain('<title>mcp inspect</title>');
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; connect-src 'self'; /,
  );
  expect(policy).not.toContain('unsafe');
});

test.each<[string, string, Headers]>([
  ['another host', 'GET', { host: 'attacker.example' }],
  ['another port of this host', 'GET', { host: '127.0.0.1:1' }],
  ['another origin', 'POST', { origin: 'http://attacker.example' }],
  ['a page in a file', 'POST', { origin: 'null' }],
  ['another site', 'GET', { 'sec-fetch-site': 'cross-site' }],
  ['another port, which is the same site', 'GET', { 'sec-fetch-site': 'same-site' }],
  ['an address typed, which does not post', 'POST', { 'sec-fetch-site': 'none' }],
  ['no cookie', 'POST', { cookie: '' }],
  ['the cookie of another page', 'POST', { cookie: 'mcp-inspect-1=x' }],
])('a request from %s is refused', async (_, method, headers) => {
  for (const path of method === 'GET' ? ['/', '/events'] : ['/do'])
    expect((await sent(method, path, { ...origin(), ...headers })).status).toBe(403);
});

test('a request without an origin is refused if it could change something', async () => {
  expect((await sent('POST', '/do', { cookie }, '{"do":"open","server":"fix"}')).status).toBe(403);
  expect((await sent('GET', '/other', origin())).status).toBe(404);
  expect((await sent('POST', '/do', origin(), '{')).status).toBe(400);
});

test('a server is opened at a revision, called and closed', async () => {
  const { result } = await act({ do: 'open', server: 'fix', revision: '2025-06-18' });
  expect(result).toMatchObject({ revision: '2025-06-18', serverInfo: { name: 'fixture' }, problems: [] });
  const call = { tool: 'echo', arguments: { text: 'Hi' } };
  expect(await act({ do: 'call', server: 'fix', id: 'a', call })).toMatchObject({
    result: { text: 'Hi', isError: false },
  });
  expect(await act({ do: 'message', number: 1 })).toMatchObject({
    result: expect.stringContaining('"2025-06-18"'),
  });
  await act({ do: 'close', server: 'fix' });
  const message = 'The server "fix" is not open';
  expect(await act({ do: 'call', server: 'fix', id: 'a', call })).toEqual({
    error: { message, hint: 'open it first' },
  });
  expect(await act({ do: 'open', server: 'fix', revision: '1' })).toMatchObject({
    error: { message: expect.stringContaining('Invalid revision') },
  });
  expect(await act({ do: 'open', server: 'other' })).toEqual({
    error: { message: 'There is no server "other"' },
  });
  expect(await act({ do: 'odd' })).toEqual({ error: { message: 'Unknown request: "odd"' } });
});

test.skipIf(process.platform !== 'linux')('requests at the same time leave no server behind', async () => {
  const opened = await Promise.all(['a', 'b', 'c'].map(() => act({ do: 'open', server: 'fix' })));
  expect(opened.filter(({ error }) => error === undefined)).not.toEqual([]);
  await act({ do: 'close', server: 'fix' });
  const servers = () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
    return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(fixture));
  };
  await expect.poll(servers, { timeout: 20_000 }).toEqual([]);
});

test('a port that is in use is an error', async () => {
  const { stderr, code } = await workspace.mcp(['inspect', '--port', url.port]);
  expect(stderr).toMatch(
    /^Cannot listen on port \d+: .*EADDRINUSE.*\n {2}--port takes another one; 0 is a free one\n$/,
  );
  expect(code).toBe(1);
});

const message = (text: string) => ({ server: 's', connection: 1, from: 'server' as const, text });

test('a page that takes nothing is sent no more, and gets the rest later', () => {
  const inspector = new Inspector({ servers: {} as never, names: [], version: '1' });
  for (let count = 0; count < 600; count++) inspector.add(message('{}'));
  const sent: number[] = [];
  const { resume, stop } = inspector.listen((event) => {
    if ('messages' in event) sent.push((event.messages as object[]).length);
    return false;
  }, 0);
  expect(sent).toEqual([250]);
  resume();
  resume();
  expect(sent).toEqual([250, 250, 100]);
  stop();
});

test('the last 100,000 messages are kept', () => {
  const log = new MessageLog();
  for (let count = 0; count < 120_001; count++) log.add(message('{}'));
  expect(log.after(0)).toHaveLength(100_000);
  expect(log.after(0)[0]?.number).toBe(20_002);
  expect(log.after(120_000).map(({ number }) => number)).toEqual([120_001]);
  expect(log.textOf(20_001)).toBeUndefined();
  expect(log.textOf(20_002)).toBe('{}');
});

test('wrong words are refused', async () => {
  expect((await workspace.mcp(['inspect', '--port', 'x'])).stderr).toContain('Invalid --port: "x"');
  expect((await workspace.mcp(['inspect', 'fox'])).stderr).toContain('There is no server "fox"');
});
