import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client, serverAt } from '@mcp/protocol/client';
import { describe, expect, test } from 'vitest';
import { EventParser } from '../../src/http/wire/event-parser.ts';
import { type Exchange, event, scriptedHttp, session, stateless } from './scripted-http.ts';
import { Recording } from './recording.ts';

describe('redirects', () => {
  test('endless redirects within the origin end in an error', async () => {
    const { url, exchanges } = await scriptedHttp({
      'server/discover': ({ response }) => response.writeHead(307, { location: '/mcp' }).end(),
    });
    await expect(Client.connect(serverAt(url), { revision: '2026-07-28' })).rejects.toMatchObject({
      phase: 'handshake',
      message: expect.stringContaining('Redirected more than 5 times'),
    });
    expect(exchanges).toHaveLength(6);
  });

  test('redirects to another origin are not followed, so that no header is sent there', async () => {
    const other = await scriptedHttp(stateless);
    const { url } = await scriptedHttp({
      'server/discover': ({ response }) => response.writeHead(308, { location: other.url }).end(),
    });
    const connecting = Client.connect(serverAt(url, { headers: { 'x-api-key': 'secret' } }), {
      revision: '2026-07-28',
    });
    await expect(connecting).rejects.toThrow(`Redirected to another origin: ${new URL(other.url).origin}`);
    expect(other.exchanges).toHaveLength(0);
  });

  test('redirects within the origin are followed with the same body', async () => {
    const { url, exchanges } = await scriptedHttp({
      ...stateless,
      'POST /mcp': ({ response }) => response.writeHead(307, { location: '/moved' }).end(),
    });
    await using client = await Client.connect(serverAt(url));
    expect(await client.listTools()).toEqual([]);
    expect(exchanges.map(({ path }) => path)).toEqual(['/mcp', '/moved', '/mcp', '/moved']);
  });
});

test.each<[string, (exchange: Exchange) => void, string | RegExp]>([
  [
    'an event that never ends',
    ({ stream }) => {
      const response = stream();
      const more = () => response.writable && response.write(`data: ${'x'.repeat(65_536)}\n`, more);
      more();
    },
    'The stream ended without a response',
  ],
  [
    'a body that never ends',
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => response.writable && response.write('x'.repeat(65_536), more);
      more();
    },
    'A message may have at most 1048576 bytes',
  ],
  ['a page of HTML', ({ response }) => response.end('<h1>Hello</h1>'), 'HTTP 200: <h1>Hello</h1>'],
  ['nothing', ({ response }) => response.writeHead(202).end(), 'HTTP 202'],
  ['a connection that breaks', ({ response }) => response.destroy(), /closed|hang up|other side/],
  [
    'a stream that ends without an answer',
    ({ stream }) => stream().end(': nothing\n\n'),
    'without a response',
  ],
  [
    'the answer to another request',
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":12345,"result":{}}');
    },
    'HTTP 200',
  ],
])('a call that is answered with %s ends in an error', async (_what, answer, message) => {
  const { url } = await scriptedHttp({ ...stateless, 'tools/call': answer });
  const server = serverAt(url, { maxMessageBytes: 1024 * 1024 });
  await using client = await Client.connect(server, { timeoutMs: 20_000 });
  const before = process.memoryUsage().rss;
  await expect(client.callTool('any')).rejects.toMatchObject({
    phase: 'call',
    method: 'tools/call',
    server: url,
    message: expect.stringMatching(message),
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(await client.listTools()).toEqual([]);
});

test('an event of 64 MiB in small pieces is read in linear time', () => {
  const piece = 'x'.repeat(16_384);
  const parser = new EventParser();
  const started = performance.now();
  let events = 0;
  for (let n = 0; n < 4_096; n++) for (const _ of parser.read(n === 0 ? `data: ${piece}` : piece)) events++;
  for (const { data } of parser.read('\n\n')) events += data.length === 64 * 1024 * 1024 ? 1 : 0;
  expect(events).toBe(1);
  // By the square of the length it would be more than a minute.
  expect(performance.now() - started).toBeLessThan(5_000);
});

test(
  'an unanswered notifications/initialized delays requests for a bounded time',
  { timeout: 20_000 },
  async () => {
    const { url } = await scriptedHttp({ ...session, 'notifications/initialized': () => {} });
    const client = await Client.connect(serverAt(url), { revision: '2025-11-25' });
    expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
    await client.close();
  },
);

test('an unanswered DELETE does not keep a client from closing', async () => {
  const { url, exchanges } = await scriptedHttp({ ...session, DELETE: () => {} });
  const client = await Client.connect(serverAt(url), { revision: '2025-11-25' });
  await client.close();
  expect(exchanges.at(-1)).toMatchObject({ http: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
});

test('a stream with retry: 0 is resumed after a pause, and not after its call has timed out', async () => {
  const { url, exchanges } = await scriptedHttp({
    ...session,
    'tools/call': ({ message, stream }) => {
      const { name } = message['params'] as { name: string };
      stream().end(`retry: 0\n${event({ method: 'x' }, `${name} ${String(message['id'])}`)}`);
    },
    GET: ({ headers, stream, response }) => {
      const [name, id] = String(headers['last-event-id'] ?? '').split(' ');
      if (name === '') response.writeHead(405).end();
      else stream().end(name === 'once' ? event({ id: Number(id), result: { content: [] } }) : ': no\n\n');
    },
  });
  await using client = await Client.connect(serverAt(url), { revision: '2025-11-25' });
  const resumed = (name: string) =>
    exchanges.filter(({ headers }) => String(headers['last-event-id']).startsWith(name)).length;
  // A busy machine may need longer for the first resumption.
  let timeoutMs = 125;
  while (resumed('forever') === 0) {
    timeoutMs *= 2;
    const call = client.callTool('forever', {}, { timeoutMs });
    await expect(call).rejects.toThrow('No response to tools/call');
  }
  // A request that was on its way may still arrive. Each of these calls takes as long as the
  // pause before the next.
  await client.callTool('once');
  const count = resumed('forever');
  expect(count).toBeLessThanOrEqual(timeoutMs / 100 + 1);
  await client.callTool('once');
  expect(resumed('once')).toBe(2);
  expect(resumed('forever')).toBe(count);
});

test('an HTTP+SSE endpoint at another origin gets no request', async () => {
  const other = await scriptedHttp({});
  const { url } = await scriptedHttp({
    'server/discover': ({ response }) => response.writeHead(404).end(),
    initialize: ({ response }) => response.writeHead(405).end(),
    GET: ({ stream }) => stream().write(`event: endpoint\ndata: ${other.url}\n\n`),
  });
  const server = serverAt(url, { headers: { authorization: 'Bearer secret' } });
  await expect(Client.connect(server, { timeoutMs: 2_000 })).rejects.toMatchObject({ phase: 'handshake' });
  expect(other.exchanges).toHaveLength(0);
});

test('a refused connection is an error of the phase handshake', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
  listener.close();
  await once(listener, 'close');
  await expect(Client.connect(serverAt(url))).rejects.toMatchObject({
    phase: 'handshake',
    server: url,
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a server that requires a login is an error of the phase authorization', async () => {
  const { url } = await scriptedHttp({ 'server/discover': ({ response }) => response.writeHead(401).end() });
  await expect(Client.connect(serverAt(url))).rejects.toMatchObject({ phase: 'authorization' });
});

test('an error does not repeat the credentials that a server echoes', async () => {
  const { url } = await scriptedHttp({
    ...stateless,
    'tools/call': ({ headers, response }) => response.writeHead(500).end(JSON.stringify(headers)),
  });
  const headers = { 'x-api-key': 'first-secret', authorization: 'Bearer second-secret' };
  await using client = await Client.connect(serverAt(url, { headers }));
  const error: unknown = await client.callTool('any').catch((reason: unknown) => reason);
  expect(String(error)).toContain('HTTP 500');
  expect(String(error)).not.toMatch(/(?:first|second)-secret/);
});

test('the name of a server omits the query of its URL, and a URL with credentials is refused', async () => {
  expect(serverAt('https://example.com/mcp?key=secret').name).toBe('https://example.com/mcp');
  expect(() => serverAt('https://user:secret@example.com/mcp')).toThrow(/^(?!.*secret)/);
  expect(() => serverAt('file:///etc/passwd')).toThrow('expected http:, https:, unix: or pipe:');
});

test('a response without a request on the stream of a session is a warning', async () => {
  const warnings = new Recording<string>();
  const { url } = await scriptedHttp({
    ...session,
    GET: ({ stream }) => stream().write(event({ id: 99, result: {} })),
  });
  await using client = await Client.connect(serverAt(url), {
    revision: '2025-11-25',
    onWarning: warnings.add,
  });
  await warnings.has(1);
  expect(warnings.events).toEqual(['Ignored a response with the unknown id 99']);
  expect(await client.listTools()).toEqual([]);
});
