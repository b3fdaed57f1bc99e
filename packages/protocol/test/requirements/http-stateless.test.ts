import { expect } from 'vitest';
import { defineResource, defineTool, LiveList } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, HttpWire, messageOf, refusal } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example, metaOf, stamped } from './wire.ts';
import { echo, server, mismatch } from './http-stateless-server.ts';

const said = (text: string) => stamped('2026-07-28', { content: [{ type: 'text', text }] });

requirement('HTTPM-01', 'one path serves all requests, and other paths serve none', async (version) => {
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

requirement('HTTPM-04', 'a notification is accepted with 202 and an empty body', async (version) => {
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
  'a notification that contradicts its headers, or is malformed, is refused',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: metaOf() } };
    const headers = headersOf(message);
    expect(await refusal(await wire.post(message, { ...headers, 'mcp-method': 'tools/call' }))).toEqual([
      400,
      mismatch('The header Mcp-Method is "tools/call", but the body has "notifications/cancelled"'),
    ]);
    expect(
      await refusal(await wire.post(message, { ...headers, 'mcp-protocol-version': '2025-11-25' })),
    ).toEqual([
      400,
      mismatch('The header MCP-Protocol-Version is "2025-11-25", but the body has "2026-07-28"'),
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

requirement('HTTPM-05', 'a request is answered with JSON or with a stream', async (version) => {
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
  'a stream has the notifications about its request, then the response, and then ends',
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

requirement('HTTPM-07', 'a question of the server is part of a result, never a request', async (version) => {
  await using wire = await HttpWire.open(server, version, {}, { capabilities: { elicitation: {} } });
  const { result } = await messageOf(
    await wire.send(wire.request('tools/call', { name: 'ask' }, { progressToken: 1 })),
  );
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { it: { method: 'elicitation/create' } },
  });
});

requirement('HTTPM-09', 'streams have the header that disables buffering in proxies', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const stream = await wire.send(wire.request('tools/call', { name: 'steps' }, { progressToken: 1 }));
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform');
  await stream.text();
});

requirement('HTTPM-10', 'comments keep an idle stream open', async (version) => {
  await using wire = await HttpWire.open(server, version, { limits: { keepAliveMs: 5 } });
  const events = new EventReader(await wire.ask('subscriptions/listen', { notifications: {} }));
  expect(await events.next()).toHaveProperty('data');
  expect(await events.next()).toEqual({ comment: true });
  expect(await events.next()).toEqual({ comment: true });
});

requirement(
  ['HTTPM-11', 'HTTPM-12', 'CANC-13'],
  'a disconnect before the answer cancels the request',
  async (version) => {
    for (const progressToken of [undefined, 'streamed']) {
      const { promise: called, resolve: calls } = Promise.withResolvers<AbortSignal>();
      const wait = defineTool({
        name: 'wait',
        description: 'Waits.',
        run: (_, { signal, progress }) => {
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

requirement(['HTTPM-11', 'CANC-13'], 'a disconnect from a subscription stream ends it', async (version) => {
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

requirement('HTTPM-13', 'no more messages are sent for a cancelled request', async (version) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: ended, resolve: ends } = Promise.withResolvers<void>();
  const { promise: gone, resolve: goes } = Promise.withResolvers<void>();
  const late = defineTool({
    name: 'late',
    description: 'Continues without a listener.',
    run: async (_, { progress, signal }) => {
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
  await using wire = await HttpWire.open(example({ tools: [late] }), version, { onWarning: warn });
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

requirement('HTTPM-17', 'an unknown method gets 404 with a JSON-RPC error', async (version) => {
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

requirement('HTTPM-26', 'session headers are ignored, and no session is created', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const old = { 'mcp-session-id': 'unknown', 'last-event-id': '1-1' };
  const response = await wire.call('echo', { text: 'x' }, old);
  expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
  expect((await messageOf(response))['result']).toEqual(said('x'));
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    const other = await fetch(wire.url, { method, headers: { 'mcp-protocol-version': version } });
    expect([method, other.status]).toEqual([method, 405]);
    expect(other.headers.get('allow')).toContain('POST');
  }
});

requirement('HTTPM-29', 'a missing capability gets 400, and the error names it', async (version) => {
  await using wire = await HttpWire.open(server, version);
  expect(await refusal(await wire.call('ask'))).toEqual([
    400,
    {
      code: -32021,
      message: 'The request requires the client capability "elicitation"',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    },
  ]);
});

requirement(
  ['HTTPM-08', 'HTTPM-13'],
  'a server that closes ends its streams with a result, without a cancellation',
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
