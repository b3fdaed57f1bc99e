import { Client, type FetchLayer, serverAt } from '@mcp/protocol/client';
import { serveHttp } from '@mcp/protocol/http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { retryDelay } from '../../src/http/client/retry-delay.ts';
import { notesServer } from '../fixtures/notes-server.ts';
import { hasIpv6 } from '../http/has-ipv6.ts';
import { requirement } from './requirement.ts';
import { event, type Exchange, type Handlers, scriptedHttp, session, stateless } from './scripted-http.ts';
import { Recording } from './recording.ts';

const at = (url: string, version: string, options: object = {}) =>
  Client.connect(serverAt(url), { revision: version, backoff: { minMs: 10, maxMs: 50 }, ...options });
const posts = (exchanges: readonly Exchange[]) => exchanges.filter(({ http }) => http === 'POST');

/** The handlers of a session, at the version that the client wants. */
const sessionAt = (version: string, more: Handlers = {}): Handlers => ({
  ...session,
  initialize: ({ response, result }) => {
    response.setHeader('mcp-session-id', 'session-1');
    result({ protocolVersion: version, capabilities: {}, serverInfo: { name: 's', version: '1' } });
  },
  ...more,
});

requirement(
  ['HTTPL-06', 'HTTPL-07', 'HTTPL-08', 'HTTPL-32', 'HTTPL-37'],
  'each message is a POST of its own, with the session and the version once they are known',
  async (version) => {
    const { url, exchanges } = await scriptedHttp(sessionAt(version));
    await using client = await at(url, version);
    await Promise.all([client.callTool('any'), client.listTools()]);
    const [initialize, ...others] = posts(exchanges);
    expect(initialize?.headers).not.toHaveProperty('mcp-session-id');
    expect(others).toHaveLength(3);
    for (const { headers, message } of posts(exchanges)) {
      expect(message).toMatchObject({ jsonrpc: '2.0' });
      expect(headers).toMatchObject({ accept: 'application/json, text/event-stream' });
    }
    for (const { headers } of others) {
      expect(headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': version });
    }
  },
);

requirement('HTTPL-12', 'a response is one JSON object or a stream of events', async (version) => {
  const { url } = await scriptedHttp(
    sessionAt(version, {
      'tools/call': ({ stream, message }) =>
        stream().end(
          `${event({ method: 'notifications/x' })}${event({ id: message['id'], result: { content: [] } })}`,
        ),
    }),
  );
  await using client = await at(url, version);
  expect(await client.listTools()).toEqual([]);
  expect(await client.callTool('any')).toEqual({ content: [] });
});

requirement(
  ['HTTPL-20', 'HTTPL-21', 'HTTPL-29'],
  'a stream that ends before its response is resumed after the retry time of the server',
  async (version) => {
    let lost = 0;
    let resumed = 0;
    const { url, exchanges } = await scriptedHttp(
      sessionAt(version, {
        'tools/call': ({ stream }) => {
          lost = performance.now();
          stream().end(`retry: 200\n${event({ method: 'notifications/x' }, 'e-7')}`);
        },
        GET: ({ headers, stream, response }) => {
          if (headers['last-event-id'] === undefined) return response.writeHead(405).end();
          resumed = performance.now();
          const call = exchanges.find(({ message }) => message['method'] === 'tools/call');
          return stream().end(event({ id: call?.message['id'], result: { content: [] } }, 'e-8'));
        },
      }),
    );
    await using client = await at(url, version);
    expect(await client.callTool('any')).toEqual({ content: [] });
    expect(resumed - lost).toBeGreaterThan(190);
    expect(exchanges.find(({ headers }) => headers['last-event-id'] === 'e-7')?.headers).toMatchObject({
      accept: 'text/event-stream',
      'mcp-session-id': 'session-1',
    });
  },
);

test('a stream that ends after an event with only an id is resumed after that id', async () => {
  const { url, exchanges } = await scriptedHttp({
    ...session,
    'tools/call': ({ stream }) => stream().end('retry: 100\nid: e-7\n\n'),
    GET: ({ headers, stream, response }) => {
      if (headers['last-event-id'] !== 'e-7') return response.writeHead(405).end();
      const call = exchanges.find(({ message }) => message['method'] === 'tools/call');
      return stream().end(event({ id: call?.message['id'], result: { content: [] } }, 'e-8'));
    },
  });
  await using client = await at(url, '2025-11-25');
  expect(await client.callTool('any')).toEqual({ content: [] });
});

test('HTTPL-20: a stream is never resumed before the retry time of the server', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  for (const ms of [120_000, 2 ** 31 - 1, 1e12]) {
    let resumed = false;
    void retryDelay(ms, new AbortController().signal).then(() => (resumed = true));
    await vi.advanceTimersByTimeAsync(Math.min(ms, 2 ** 31 - 1) - 1);
    expect(resumed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(resumed).toBe(true);
  }
});

requirement(
  'HTTPL-35',
  'after the end of a session the call is repeated in a new session',
  async (version) => {
    let sessions = 0;
    const { url, exchanges } = await scriptedHttp(
      sessionAt(version, {
        initialize: ({ response, result }) => {
          response.setHeader('mcp-session-id', `session-${++sessions}`);
          result({ protocolVersion: version, capabilities: {}, serverInfo: { name: 's', version: '1' } });
        },
        'tools/call': ({ headers, response, result }) =>
          headers['mcp-session-id'] === 'session-1'
            ? response.writeHead(404).end('No such session')
            : result({ content: [] }),
      }),
    );
    await using client = await at(url, version);
    expect(await client.callTool('any')).toEqual({ content: [] });
    expect(
      posts(exchanges).map(({ message, headers }) => [message['method'], headers['mcp-session-id']]),
    ).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', 'session-1'],
      ['tools/call', 'session-1'],
      ['initialize', undefined],
      ['notifications/initialized', 'session-2'],
      ['tools/call', 'session-2'],
    ]);
  },
);

test('running calls whose session has ended are each repeated, in one new session', async () => {
  let sessions = 0;
  const { url, exchanges } = await scriptedHttp({
    ...session,
    initialize: ({ response, result }) => {
      response.setHeader('mcp-session-id', `session-${++sessions}`);
      result({
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      });
    },
    'tools/call': ({ headers, response, result }) =>
      headers['mcp-session-id'] === 'session-1' ? response.writeHead(404).end() : result({ content: [] }),
  });
  await using client = await at(url, '2025-11-25');
  const results = await Promise.all(Array.from({ length: 5 }, () => client.callTool('any')));
  expect(results).toEqual(Array.from({ length: 5 }, () => ({ content: [] })));
  expect(posts(exchanges).filter(({ message }) => message['method'] === 'initialize')).toHaveLength(2);
});

requirement('HTTPL-36', 'closing ends the session, whatever the server responds', async (version) => {
  const { url, exchanges } = await scriptedHttp(
    sessionAt(version, { DELETE: ({ response }) => response.writeHead(405).end() }),
  );
  const client = await at(url, version);
  await client.close();
  expect(exchanges.at(-1)).toMatchObject({ http: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
});

requirement('HTTPL-40', 'a call is cancelled by a notification', async (version) => {
  const { url, exchanges, until } = await scriptedHttp(sessionAt(version, { 'tools/call': () => {} }));
  await using client = await at(url, version);
  await expect(client.callTool('any', {}, { timeoutMs: 300 })).rejects.toThrow('No response');
  const isCancelled = ({ message }: Exchange) => message['method'] === 'notifications/cancelled';
  const isCall = ({ message }: Exchange) => message['method'] === 'tools/call';
  await until(() => exchanges.some(isCancelled) && exchanges.some(isCall));
  const call = exchanges.find(isCall);
  expect(exchanges.find(isCancelled)?.message['params']).toMatchObject({ requestId: call?.message['id'] });
});

requirement(
  ['HTTPL-41', 'SSE-08', 'SSE-03', 'ERA-16'],
  'a client falls back to HTTP+SSE after a server refuses its POST',
  async () => {
    const sse = { path: '/mcp', postPath: '/messages' };
    const listener = await serveHttp(notesServer(), { path: '/elsewhere', sse });
    onTestFinished(() => listener.close());
    const url = new URL('/mcp', listener.url).href;
    const negotiations = new Map();
    await using client = await Client.connect(serverAt(url), { negotiations });
    expect(client.revision).toBe('2025-11-25');
    expect((await client.listTools()).length).toBeGreaterThan(0);
    expect([...negotiations.values()]).toMatchObject([{ opening: 'fallback' }]);
  },
);

requirement(
  ['HTTPM-02', 'HTTPM-03', 'TASKX-11'],
  'each request is a POST whose headers repeat it',
  async (version) => {
    const task = { taskId: 't-1', status: 'completed', result: { content: [] }, resultType: 'complete' };
    const { url, exchanges } = await scriptedHttp({
      ...stateless,
      'tasks/get': ({ result }) => result(task),
      'tasks/update': ({ result }) => result({}),
      'tasks/cancel': ({ result }) => result({}),
      'resources/read': ({ result }) => result({ contents: [] }),
      'prompts/get': ({ result }) => result({ messages: [] }),
    });
    await using client = await at(url, version);
    await client.callTool('any');
    await client.readResource('file:///ä');
    await client.getPrompt('hello');
    await client.tasks.get('t-1');
    await client.tasks.update('t-1', {});
    await client.tasks.cancel('t-1');
    const headers = exchanges.map((exchange) => [
      exchange.headers['mcp-method'],
      exchange.headers['mcp-name'],
    ]);
    expect(headers).toEqual([
      ['server/discover', undefined],
      ['tools/call', 'any'],
      ['resources/read', '=?base64?ZmlsZTovLy/DpA==?='],
      ['prompts/get', 'hello'],
      ['tasks/get', 't-1'],
      ['tasks/update', 't-1'],
      ['tasks/cancel', 't-1'],
    ]);
    for (const { http, headers: sent, message } of exchanges) {
      expect([http, sent['mcp-protocol-version'], sent['accept']]).toEqual([
        'POST',
        version,
        'application/json, text/event-stream',
      ]);
      expect(message).toHaveProperty('method');
    }
  },
);

const region = { type: 'string', 'x-mcp-header': 'Region' };
const mirrored = { name: 'any', inputSchema: { type: 'object', properties: { region } } };

requirement(
  ['HTTPM-22', 'HTTPM-30'],
  'arguments with x-mcp-header are repeated in headers, encoded where necessary',
  async (version) => {
    const { url, exchanges } = await scriptedHttp({
      ...stateless,
      'tools/list': ({ result }) => result({ tools: [mirrored] }),
    });
    await using client = await at(url, version);
    await client.listTools();
    for (const value of ['us-west1', ' padded ', '=?base64?x?=', 'ä\n', null, undefined]) {
      await client.callTool('any', { region: value });
    }
    const sent = exchanges.filter(({ message }) => message['method'] === 'tools/call');
    expect(sent.map(({ headers }) => headers['mcp-param-region'])).toEqual([
      'us-west1',
      '=?base64?IHBhZGRlZCA=?=',
      '=?base64?PT9iYXNlNjQ/eD89?=',
      '=?base64?w6QK?=',
      undefined,
      undefined,
    ]);
  },
);

requirement('HTTPM-28', 'a lost stream is not resumed, and the call fails', async (version) => {
  const { url, exchanges } = await scriptedHttp({
    ...stateless,
    'tools/call': ({ stream }) => stream().end(event({ method: 'notifications/x' }, 'e-1')),
  });
  await using client = await at(url, version);
  await expect(client.callTool('any')).rejects.toThrow('The stream ended without a response');
  await expect(client.callTool('any')).rejects.toThrow('The stream ended without a response');
  expect(exchanges.filter(({ http }) => http !== 'POST')).toEqual([]);
  const ids = exchanges.map(({ message }) => message['id']);
  expect(new Set(ids).size).toBe(ids.length);
});

requirement('XHDR-12', 'a tool with an invalid x-mcp-header is omitted with a warning', async (version) => {
  const invalid = {
    name: 'bad',
    inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
  };
  const warnings: string[] = [];
  const { url } = await scriptedHttp({
    ...stateless,
    'tools/list': ({ result }) => result({ tools: [invalid, mirrored] }),
  });
  await using client = await at(url, version, { onWarning: (message: string) => warnings.push(message) });
  expect(await client.listTools()).toMatchObject([{ name: 'any' }]);
  expect(warnings).toEqual([expect.stringContaining('The tool "bad" is omitted')]);
});

requirement(
  'XHDR-13',
  'after a header mismatch the tools are listed and the call is repeated',
  async (version) => {
    const { url, exchanges } = await scriptedHttp({
      ...stateless,
      'tools/list': ({ result }) => result({ tools: [mirrored] }),
      'tools/call': ({ headers, result, error }) =>
        headers['mcp-param-region'] === undefined ? error(-32020, 'Missing', 400) : result({ content: [] }),
    });
    await using client = await at(url, version);
    expect(await client.callTool('any', { region: 'eu' })).toEqual({ content: [] });
    expect(exchanges.map(({ message }) => message['method'])).toEqual([
      'server/discover',
      'tools/call',
      'tools/list',
      'tools/call',
    ]);
    await expect(client.callTool('any', {})).rejects.toMatchObject({ code: -32020 });
  },
);

test('a call over HTTP is cancelled by closing its stream', async () => {
  const closed = Promise.withResolvers<void>();
  const { url, exchanges } = await scriptedHttp({
    ...stateless,
    'tools/call': ({ stream }) => void stream().on('close', () => closed.resolve()),
  });
  await using client = await at(url, '2026-07-28');
  await expect(client.callTool('any', {}, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  await closed.promise;
  expect(exchanges.every(({ message }) => message['method'] !== 'notifications/cancelled')).toBe(true);
});

test('a broken notification stream is opened again, and the listener is called', async () => {
  const streams: Exchange[] = [];
  const { url } = await scriptedHttp({
    ...stateless,
    'subscriptions/listen': (exchange) => {
      streams.push(exchange);
      const { message } = exchange;
      const { notifications } = message['params'] as { notifications: unknown };
      const _meta = { 'io.modelcontextprotocol/subscriptionId': message['id'] };
      exchange
        .stream()
        .write(
          event({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } }),
        );
    },
  });
  await using client = await at(url, '2026-07-28');
  const changes = new Recording();
  await client.watchList('tools', changes.add);
  streams[0]?.response.destroy();
  await changes.has(1);
  expect(streams).toHaveLength(2);
});

test('a given header that the client sets itself is not sent twice, whatever its case', async () => {
  const { url, exchanges } = await scriptedHttp(stateless);
  const headers = { Accept: 'text/html', Host: 'proxy.example', 'X-Key': 'k' };
  await using client = await Client.connect(serverAt(`${url}?key=1`, { headers }));
  await client.callTool('any');
  for (const { headers: sent } of exchanges) {
    expect(sent).toMatchObject({
      accept: 'application/json, text/event-stream',
      host: 'proxy.example',
      'x-key': 'k',
    });
  }
});

test('a server at an IPv6 address is reached', async ({ skip }) => {
  skip(!hasIpv6, 'This machine has no IPv6');
  const listener = await serveHttp(notesServer(), { host: '::1' });
  onTestFinished(() => listener.close());
  await using client = await Client.connect(serverAt(listener.url));
  expect(client.serverInfo?.name).toBe('notes');
});

test('closing a client ends the login that its next connection waits for', async () => {
  let waiting = () => {};
  const isWaiting = new Promise<void>((resolve) => (waiting = resolve));
  let isOver = false;
  const authorize: FetchLayer = (next) => (request, help) => {
    if (!isOver) return next(request);
    const login = new Promise<never>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
    help?.held(login);
    waiting();
    return login;
  };
  const { url } = await scriptedHttp({
    ...session,
    'tools/call'({ response }) {
      isOver = true;
      response.writeHead(404).end();
    },
  });
  const client = await Client.connect(serverAt(url, { authorize }), { revision: '2025-11-25' });
  const call = client.callTool('any').then(
    () => 'answered',
    (error: unknown) => String(error),
  );
  await isWaiting;
  await client.close();
  expect(await call).toContain('The client has closed the connection');
});
