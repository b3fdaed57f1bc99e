import { expect } from 'vitest';
import { z } from 'zod';
import { defineResource, defineTool, definePrompt, elicit, inputRequired, LiveList } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, HttpWire, messageOf, raw, refusal } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example, metaOf, stamped } from './wire.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  inputSchema: z.object({ text: z.string() }),
  run: ({ text }) => text,
});

const steps = defineTool({
  name: 'steps',
  description: 'Tells of each step.',
  run: (_, _context, { progress, log }) => (progress(1, 2), log('info', 'Half'), progress(2, 2), 'Done'),
});

const ask = defineTool({
  name: 'ask',
  description: 'Asks first.',
  run: (_, _context, { inputs }) =>
    inputs['it'] ? 'Thank you' : inputRequired({ it: elicit('Well?', z.object({})) }),
});

const page = defineResource({ uri: 'page:///{name}', name: 'page', read: ({ name }) => `Page ${name}` });
const plain = definePrompt({ name: 'plain', description: 'Says hello.', run: () => 'Hello' });
const parts = { tools: [echo, steps, ask], resources: [page], prompts: [plain], logging: true };
const server = example(parts);

const said = (text: string) => stamped('2026-07-28', { content: [{ type: 'text', text }] });
const mismatch = (message: string) => ({ code: -32020, message });

requirement('HTTPM-01', 'everything goes to one path, and nothing to others', async (version) => {
  await using wire = await HttpWire.open(server, version, { path: '/here' });
  expect(new URL(wire.url).pathname).toBe('/here');
  expect((await wire.ask('server/discover')).status).toBe(200);
  const message = wire.request('server/discover');
  for (const path of ['/', '/here/', '/mcp', '/here/there']) {
    const body = JSON.stringify(message);
    const other = await fetch(new URL(path, wire.url), { method: 'POST', headers: headersOf(message), body });
    expect(other.status).toBe(404);
  }
});

requirement('HTTPM-04', 'a notification is accepted with 202 and nothing else', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const message = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1, _meta: metaOf() },
  };
  const { 'mcp-method': _, ...unnamed } = headersOf(message);
  for (const headers of [headersOf(message), unnamed, basics]) {
    const response = await wire.post(message, headers);
    expect([response.status, await response.text()]).toEqual([202, '']);
  }
});

requirement(
  'HTTPM-04',
  'a notification that contradicts its headers, or is none, is refused',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: metaOf() } };
    const headers = headersOf(message);
    expect(await refusal(await wire.post(message, { ...headers, 'mcp-method': 'tools/call' }))).toEqual([
      400,
      mismatch('The header Mcp-Method is "tools/call", and the body says "notifications/cancelled"'),
    ]);
    expect(
      await refusal(await wire.post(message, { ...headers, 'mcp-protocol-version': '2025-11-25' })),
    ).toEqual([
      400,
      mismatch('The header MCP-Protocol-Version is "2025-11-25", and the body says "2026-07-28"'),
    ]);
    expect(await refusal(await wire.post({ ...message, jsonrpc: '1.0' }, headers))).toEqual([
      400,
      { code: -32600, message: '"jsonrpc" must be "2.0"' },
    ]);
    expect(await refusal(await wire.post({ jsonrpc: '2.0', id: 1, result: {} }, headers))).toEqual([
      400,
      { code: -32600, message: 'Unexpected response: the server has sent no request' },
    ]);
  },
);

requirement('HTTPM-05', 'a request is answered with JSON, or with a stream', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const simple = await wire.call('echo', { text: 'Grüezi' });
  expect([simple.status, simple.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await simple.json()).toEqual({ jsonrpc: '2.0', id: 1, result: said('Grüezi') });

  const telling = wire.request('tools/call', { name: 'steps' }, { progressToken: 7 });
  const stream = await wire.send(telling);
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(await messageOf(stream)).toEqual({ jsonrpc: '2.0', id: 2, result: said('Done') });
});

requirement(
  ['HTTPM-06', 'HTTPM-08', 'HTTPM-27'],
  'a stream has what is told about its request, then the response, then its end',
  async (version) => {
    await using wire = await HttpWire.open(server, version, {}, { logLevel: 'info' });
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (progressToken) =>
        new EventReader(
          await wire.send(wire.request('tools/call', { name: 'steps' }, { progressToken })),
        ).rest(),
      ),
    );
    const progress = (progressToken: string, done: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: done, total: 2 },
    });
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'Half' } };
    for (const [events, token, id] of [
      [one!, 'one', 1],
      [two!, 'two', 2],
    ] as const) {
      // Events have data alone: no ids to come back to.
      expect(events.map((event) => Object.keys(event))).toEqual(Array.from({ length: 4 }, () => ['data']));
      expect(events.map(({ data }) => JSON.parse(data!) as unknown)).toEqual([
        progress(token, 1),
        log,
        progress(token, 2),
        { jsonrpc: '2.0', id, result: said('Done') },
      ]);
    }
  },
);

requirement('HTTPM-07', 'what a server asks is in a result, never a request of its own', async (version) => {
  await using wire = await HttpWire.open(server, version, {}, { capabilities: { elicitation: {} } });
  const { result } = await messageOf(
    await wire.send(wire.request('tools/call', { name: 'ask' }, { progressToken: 1 })),
  );
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { it: { method: 'elicitation/create' } },
  });
});

requirement('HTTPM-09', 'proxies are told to pass streams on at once', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const stream = await wire.send(wire.request('tools/call', { name: 'steps' }, { progressToken: 1 }));
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform');
  await stream.text();
});

requirement('HTTPM-10', 'comments keep a quiet stream alive', async (version) => {
  await using wire = await HttpWire.open(server, version, { limits: { keepAliveMs: 5 } });
  const events = new EventReader(await wire.ask('subscriptions/listen', { notifications: {} }));
  expect(await events.next()).toHaveProperty('data');
  expect(await events.next()).toEqual({ comment: true });
  expect(await events.next()).toEqual({ comment: true });
});

requirement(
  ['HTTPM-11', 'HTTPM-12', 'CANC-13'],
  'a client that hangs up before the answer has cancelled',
  async (version) => {
    for (const progressToken of [undefined, 'streamed']) {
      const { promise: called, resolve: calls } = Promise.withResolvers<AbortSignal>();
      const wait = defineTool({
        name: 'wait',
        description: 'Waits.',
        run: (_, _context, { signal, progress }) => {
          progress(1);
          calls(signal);
          return new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
        },
      });
      await using wire = await HttpWire.open(example({ tools: [wait, echo] }), version);
      const client = new AbortController();
      const message = wire.request(
        'tools/call',
        { name: 'wait' },
        { ...(progressToken && { progressToken }) },
      );
      const answer = wire.send(message, {}, client.signal);
      const over = answer.catch(() => undefined);
      const signal = await called;
      const cancelled = new Promise((resolve) => signal.addEventListener('abort', resolve));
      if (progressToken) await answer;
      client.abort();
      await cancelled;
      await over;
      expect((await wire.call('echo', { text: 'served' })).status).toBe(200);
    }
  },
);

requirement(['HTTPM-11', 'CANC-13'], 'a client that leaves a stream of changes ends it', async (version) => {
  const { promise: stopped, resolve: stops } = Promise.withResolvers<void>();
  const watched = defineResource({
    uri: 'page:///one',
    name: 'one',
    read: () => '',
    watch: () => () => stops(),
  });
  await using wire = await HttpWire.open(example({ resources: [watched] }), version);
  const notifications = { resourceSubscriptions: ['page:///one'] };
  const events = new EventReader(await wire.ask('subscriptions/listen', { notifications }));
  expect(await events.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
  await events.close();
  await stopped;
});

requirement('HTTPM-13', 'nothing more is sent for a request that was cancelled', async (version) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: ended, resolve: ends } = Promise.withResolvers<void>();
  const { promise: gone, resolve: goes } = Promise.withResolvers<void>();
  const late = defineTool({
    name: 'late',
    description: 'Goes on although nobody listens.',
    run: async (_, _context, { progress, signal }) => {
      signal.addEventListener('abort', () => goes());
      progress(1);
      await released;
      progress(2);
      setImmediate(ends);
      return 'Late';
    },
  });
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  await using wire = await HttpWire.open(example({ tools: [late] }), version, { warn });
  const events = new EventReader(
    await wire.send(wire.request('tools/call', { name: 'late' }, { progressToken: 1 })),
  );
  expect(await events.message()).toMatchObject({ params: { progress: 1 } });
  await events.close();
  await gone;
  release();
  await ended;
  expect(warnings).toEqual([]);
});

requirement('HTTPM-14', 'a request without the version header is refused', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const message = wire.request('server/discover');
  const { 'mcp-protocol-version': _, ...headers } = headersOf(message);
  expect(await refusal(await wire.post(message, headers))).toEqual([
    400,
    mismatch('The header MCP-Protocol-Version is missing, and the body says "2026-07-28"'),
  ]);
  // Without _meta it may be one of an earlier revision, which there is no session for.
  const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await wire.post(bare, basics)).status).toBe(400);
});

requirement(['HTTPM-15', 'HTTPM-23'], 'a version that differs from the body is refused', async (version) => {
  await using wire = await HttpWire.open(server, version);
  for (const header of ['2025-11-25', '2099-01-01', '2026-07-28, 2026-07-28', '']) {
    expect(await refusal(await wire.ask('server/discover', {}, { 'mcp-protocol-version': header }))).toEqual([
      400,
      mismatch(
        `The header MCP-Protocol-Version is ${JSON.stringify(header)}, and the body says "2026-07-28"`,
      ),
    ]);
  }
  const unnamed = { jsonrpc: '2.0', id: 1, method: 'server/discover' };
  expect(await refusal(await wire.post(unnamed, headersOf(unnamed)))).toEqual([
    400,
    { code: -32602, message: '"_meta.io.modelcontextprotocol/protocolVersion" must be a version string' },
  ]);
});

requirement(
  ['HTTPM-16', 'ERA-05'],
  'a version that is not served is refused with those that are',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const supported = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
    const error = (requested: string) => ({
      code: -32022,
      message: `Unsupported protocol version: "${requested}"`,
      data: { supported, requested },
    });
    const message = wire.request(
      'server/discover',
      {},
      {
        'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      },
    );
    expect(await refusal(await wire.send(message, { 'mcp-protocol-version': '2099-01-01' }))).toEqual([
      400,
      error('2099-01-01'),
    ]);
    const known = wire.request('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' });
    expect(await refusal(await wire.send(known, { 'mcp-protocol-version': '2025-11-25' }))).toEqual([
      400,
      error('2025-11-25'),
    ]);
    // Also where the header alone names it.
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(await refusal(await wire.post(bare, { ...basics, 'mcp-protocol-version': '2099-01-01' }))).toEqual(
      [400, error('2099-01-01')],
    );
  },
);

requirement('HTTPM-17', 'an unknown method is 404 with a JSON-RPC error', async (version) => {
  await using wire = await HttpWire.open(example({ tools: [echo] }), version);
  for (const method of [
    'nothing/here',
    'ping',
    'initialize',
    'logging/setLevel',
    'prompts/list',
    '__proto__',
  ]) {
    const response = await wire.ask(method);
    expect(response.headers.get('content-type')).toBe('application/json');
    const { id, error } = (await response.json()) as JsonObject;
    expect([response.status, id, error]).toMatchObject([404, expect.any(Number), { code: -32601 }]);
  }
});

requirement(
  ['HTTPM-18', 'HTTPM-23', 'HTTPM-24'],
  'Mcp-Method is there and says the method',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const message = wire.request('tools/list');
    const { 'mcp-method': _, ...unnamed } = headersOf(message);
    expect(await messageOf(await wire.post(message, unnamed))).toEqual({
      jsonrpc: '2.0',
      id: message.id,
      error: mismatch('The header Mcp-Method is missing, and the body says "tools/list"'),
    });
    for (const header of [
      'tools/call',
      'Tools/List',
      'tools/list, tools/list',
      '=?base64?dG9vbHMvbGlzdA==?=',
    ]) {
      expect(await refusal(await wire.send(message, { 'mcp-method': header }))).toEqual([
        400,
        mismatch(`The header Mcp-Method is "${header}", and the body says "tools/list"`),
      ]);
    }
  },
);

requirement(['HTTPM-19', 'HTTPM-23', 'HTTPM-24'], 'Mcp-Name is there and says the name', async (version) => {
  await using wire = await HttpWire.open(server, version);
  for (const [method, params, name] of [
    ['tools/call', { name: 'echo', arguments: { text: 'x' } }, 'echo'],
    ['prompts/get', { name: 'plain' }, 'plain'],
    ['resources/read', { uri: 'page:///one' }, 'page:///one'],
  ] as const) {
    const message = wire.request(method, params);
    const { 'mcp-name': _, ...unnamed } = headersOf(message);
    expect((await wire.send(message)).status).toBe(200);
    expect(await refusal(await wire.post(message, unnamed))).toEqual([
      400,
      mismatch(`The header Mcp-Name is missing, and the body says "${name}"`),
    ]);
    for (const header of ['other', name.toUpperCase(), `${name}, ${name}`, '']) {
      expect(await refusal(await wire.send(message, { 'mcp-name': header }))).toEqual([
        400,
        mismatch(`The header Mcp-Name is "${header}", and the body says "${name}"`),
      ]);
    }
  }
  const nameless = wire.request('tools/call', {});
  expect(await refusal(await wire.send(nameless, { 'mcp-name': 'echo' }))).toEqual([
    400,
    mismatch('The header Mcp-Name is "echo", and the body says nothing'),
  ]);
});

requirement('HTTPM-20', 'names of headers may be written in any case, values may not', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const message = wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
  const headers = (name: string) =>
    [
      ['Content-Type', 'application/json'],
      ['MCP-PROTOCOL-VERSION', version],
      ['mCp-MeThOd', 'tools/call'],
      ['MCP-name', name],
    ].flat();
  const body = JSON.stringify(message);
  expect(await raw(wire.url, { headers: headers('echo'), body })).toMatchObject({ status: 200 });
  expect(await raw(wire.url, { headers: headers('Echo'), body })).toMatchObject({ status: 400 });
});

requirement(
  ['HTTPM-21', 'HTTPM-24'],
  'a name in Base64 is decoded before it is compared',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    const read = async (uri: string, header: string) => {
      const response = await wire.ask('resources/read', { uri }, { 'mcp-name': header });
      await response.text();
      return response.status;
    };
    expect(await read('page:///one', base64('page:///one'))).toBe(200);
    expect(await read('page:///日本', base64('page:///日本'))).toBe(200);
    expect(await read('page:///one', base64('page:///two'))).toBe(400);
    for (const invalid of [
      '=?base64?cGFnZTovLy9vbmU?=',
      '=?base64?cGFnZTovLy9vbmU=',
      '=?base64?cGFnZTo*Ly9vbmU=?=',
      '=?base64?cGFnZTovLy9vbmU==?=',
      '=?base64?/////w==?=',
      '=?Base64?cGFnZTovLy9vbmU=?=',
      '=?base64?=',
      'page:///on\u00e9',
    ]) {
      expect([invalid, await read('page:///one', invalid)]).toEqual([invalid, 400]);
    }
    // What looks encoded is.
    const lookalike = 'page:///=?base64?x?=';
    expect(await read(lookalike, lookalike)).toBe(200);
    const sentinel = '=?base64?eA==?=';
    const call = (header: string) => wire.call(sentinel, {}, { 'mcp-name': header });
    expect((await call(sentinel)).status).toBe(400);
    expect(await messageOf(await call(base64(sentinel)))).toMatchObject({ error: { code: -32602 } });
  },
);

requirement('HTTPM-25', 'integers are compared as numbers', async (version) => {
  const count = defineTool({
    name: 'count',
    description: 'Counts.',
    inputSchema: z.object({ many: z.int().meta({ 'x-mcp-header': 'Many' }) }),
    run: ({ many }) => String(many),
  });
  await using wire = await HttpWire.open(example({ tools: [count] }), version);
  const status = async (many: number, header: string) =>
    (await wire.call('count', { many }, { 'mcp-param-many': header })).status;
  for (const header of ['42', '42.0', '42.', '042']) expect(await status(42, header)).toBe(200);
  expect(await status(-7, '-7')).toBe(200);
  for (const header of ['43', '0x2a', '', '42a', '4 2', 'NaN', '42.5'])
    expect(await status(42, header)).toBe(400);
});

requirement('HTTPM-26', 'sessions are ignored, and none is made', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const old = { 'mcp-session-id': 'somebody', 'last-event-id': '1-1' };
  const response = await wire.call('echo', { text: 'x' }, old);
  expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
  expect((await messageOf(response))['result']).toEqual(said('x'));
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    const other = await fetch(wire.url, { method, headers: { 'mcp-protocol-version': version } });
    expect([method, other.status]).toEqual([method, 405]);
    expect(other.headers.get('allow')).toContain('POST');
  }
});

requirement('HTTPM-29', 'a missing capability is 400 with its name', async (version) => {
  await using wire = await HttpWire.open(server, version);
  expect(await refusal(await wire.call('ask'))).toEqual([
    400,
    {
      code: -32021,
      message: 'This needs the client capability "elicitation"',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    },
  ]);
});

requirement(
  ['HTTPM-08', 'HTTPM-13'],
  'a server that closes answers its streams, without a cancellation, and ends them',
  async (version) => {
    const tools = new LiveList([echo]);
    const wire = await HttpWire.open(example({ tools }), version);
    const events = new EventReader(
      await wire.ask('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    expect(await events.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    const closed = wire.close();
    expect(await events.message()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: stamped(version, { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } }),
    });
    expect(await events.next()).toBeUndefined();
    await closed;
  },
);
