import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineResource, defineTool, elicit, inputRequired, LiveList } from '@mcp/protocol';
import { httpHandler, type HttpHandler, serveHttp } from '../../src/http.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, HttpWire } from '../http/http-wire.ts';
import { RawSocket, requestText } from '../http/raw-socket.ts';
import { example, initialize, metaOf } from '../requirements/wire.ts';

// They open thousands of sessions.
vi.setConfig({ testTimeout: 120_000 });

const patience = { timeout: 10_000 };

const echo = defineTool({ name: 'echo', description: 'Echoes.', run: () => 'Echo' });
const steps = defineTool({
  name: 'steps',
  description: 'Steps.',
  run: (_, { progress }) => (progress(1), 'Done'),
});

async function megabytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Objects that finalizers release are collected in the next round.
  for (let round = 0; round < 5; round++) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed / 1e6;
}

function modern(id: number, method: string, params: JsonObject, meta: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...metaOf(), ...meta } } };
}

function post(
  handler: HttpHandler,
  message: JsonObject,
  headers: { [name: string]: string },
): Promise<Response> {
  const init = { method: 'POST', headers, body: JSON.stringify(message) };
  return handler.fetch(new Request('http://localhost/mcp', init));
}

async function open(handler: HttpHandler, version = '2025-11-25'): Promise<{ [name: string]: string }> {
  const response = await post(handler, initialize(1, version), basics);
  await response.text();
  return { ...basics, 'mcp-session-id': response.headers.get('mcp-session-id') ?? 'none' };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('ten thousand abandoned sessions use no more memory than the sessions within the limit', async () => {
  const tools = new LiveList([echo]);
  const handler = httpHandler(example({ tools }), { limits: { maxSessions: 100 } });
  for (let count = 0; count < 500; count++) await open(handler);
  const before = await megabytes();
  const mine = await open(handler);
  for (let count = 0; count < 10_000; count++) {
    await open(handler);
    // A session in use is kept.
    if (count % 50 === 0) expect((await post(handler, ping, mine)).status).toBe(200);
  }
  expect((await megabytes()) - before).toBeLessThan(5);
  tools.replace([echo, steps]);
  expect((await post(handler, ping, mine)).status).toBe(200);
  expect(
    (await post(handler, modern(1, 'tools/list', {}), headersOf(modern(1, 'tools/list', {})))).status,
  ).toBe(200);
  await handler.close();
});

test('handshakes that fail leave no session', async () => {
  const handler = httpHandler(example({ tools: [echo] }), { limits: { maxSessions: 2 } });
  const mine = await open(handler);
  for (let count = 0; count < 10; count++) {
    const response = await post(handler, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }, basics);
    expect([response.headers.get('mcp-session-id'), await response.json()]).toMatchObject([
      null,
      { error: { code: -32602 } },
    ]);
  }
  expect((await post(handler, ping, mine)).status).toBe(200);
  await handler.close();
});

test('a session with a request or an open stream is not ended for a new one', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<string>();
  const wait = defineTool({ name: 'wait', description: 'Waits.', run: () => (begin(), released) });
  await using wire = await HttpWire.open(example({ tools: [wait, echo] }), '2025-11-25', {
    limits: { maxSessions: 2 },
  });
  const waiting = await wire.call('wait');
  await begun;
  const first = wire.session!;
  await wire.handshake();
  const listened = new EventReader(await wire.get());
  await listened.next();
  const second = wire.session!;
  const third = await wire.handshake();
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '60']);
  expect((await wire.call('echo', {}, { 'mcp-session-id': first })).status).toBe(200);
  release('Waited');
  await waiting.text();
  // A client that has left its session does not keep others out.
  expect((await wire.handshake()).status).toBe(200);
  expect((await wire.call('echo', {}, { 'mcp-session-id': first })).status).toBe(404);
  expect((await wire.call('echo', {}, { 'mcp-session-id': second })).status).toBe(200);
});

test('a session whose client has a question to answer is not ended for a new one', async () => {
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    run: (_, { inputs }) =>
      'name' in inputs ? 'Answered' : inputRequired({ name: elicit('Who?', z.object({ name: z.string() })) }),
  });
  await using wire = await HttpWire.open(
    example({ tools: [ask, echo] }),
    '2025-11-25',
    { limits: { maxSessions: 1 } },
    { capabilities: { elicitation: {} } },
  );
  const asking = new EventReader(await wire.call('ask'));
  const message = await asking.message();
  expect(message).toMatchObject({ method: 'elicitation/create' });
  const { session } = wire;
  expect((await wire.handshake()).status).toBe(503);
  wire.session = session;
  await wire.send({
    jsonrpc: '2.0',
    id: message!['id'] as string,
    result: { action: 'accept', content: { name: 'A' } },
  });
  expect(await asking.message()).toMatchObject({ result: { content: [{ text: 'Answered' }] } });
});

const verify = (token: string) => ({ principal: token });

test.each([
  ['on the loopback', {}, { maxSessions: 3 }],
  ['of one principal', { authorization: { verify } }, { maxSessionsPerClient: 3 }],
  ['with a shared token', { token: 'alice' }, { maxSessions: 3 }],
])('sessions that were used and abandoned %s make room for new ones', async (_where, options, limits) => {
  const authorization = { authorization: 'Bearer alice' };
  await using wire = await HttpWire.open(
    example({ tools: [echo] }),
    '2025-11-25',
    { ...options, limits },
    {},
    authorization,
  );
  const mine = { ...authorization, 'mcp-session-id': wire.session! };
  for (let client = 0; client < 20; client++) {
    expect((await wire.handshake(authorization)).status).toBe(200);
    const own = { ...authorization, 'mcp-session-id': wire.session! };
    expect((await wire.call('echo', {}, own)).status).toBe(200);
    // A session in use is kept; one that was ended has to be opened again.
    expect((await wire.call('echo', {}, mine)).status).toBe(200);
  }
});

test('a client that holds more than its share makes room for others, and no other client does', async () => {
  await using wire = await HttpWire.open(
    example({ tools: [echo] }),
    '2025-11-25',
    { authorization: { verify }, limits: { maxSessions: 6, maxSessionsPerClient: 6 } },
    {},
    { authorization: 'Bearer carol' },
  );
  const open = async (name: string) => {
    const headers = { authorization: `Bearer ${name}` };
    const { status } = await wire.handshake(headers);
    const own = { ...headers, 'mcp-session-id': wire.session ?? 'none' };
    if (status === 200) await (await wire.call('echo', {}, own)).text();
    return { status, own };
  };
  const carol = await open('carol');
  const mallory = [];
  for (let count = 0; count < 20; count++) mallory.push(await open('mallory'));
  for (const name of ['alice', 'bob']) expect((await open(name)).status).toBe(200);
  expect((await wire.call('echo', {}, carol.own)).status).toBe(200);
  const statuses = await Promise.all(
    mallory.map(async ({ own }) => (await wire.call('echo', {}, own)).status),
  );
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(4);
});

test('an idle session ends together with its watches', async () => {
  const { promise: stopped, resolve: stops } = Promise.withResolvers<void>();
  const page = defineResource({
    uri: 'page:///one',
    name: 'one',
    read: () => '',
    watch: () => () => stops(),
  });
  const limits = { sessionIdleMs: 20 };
  await using wire = await HttpWire.open(example({ resources: [page] }), '2025-06-18', { limits });
  // On a busy machine it may have ended before its first request.
  while ((await wire.ask('resources/subscribe', { uri: page.uri })).status !== 200) await wire.handshake();
  await stopped;
  expect((await wire.ask('ping')).status).toBe(404);
});

test('a thousand streams get a notification, and end with their clients', async () => {
  const { promise: stopped, resolve: stops } = Promise.withResolvers<void>();
  let changed: (() => void) | undefined;
  const page = defineResource({
    uri: 'page:///one',
    name: 'one',
    read: () => '',
    watch: (_, tell) => {
      changed = tell;
      return () => stops();
    },
  });
  const server = example({ resources: [page], tools: [echo] });
  const listener = await serveHttp(server, { limits: { maxStreams: 1_000 } });
  const { url } = listener;
  const message = modern(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: [page.uri] } });
  const text = requestText(url, { headers: headersOf(message), body: JSON.stringify(message) });
  const sockets = await Promise.all(Array.from({ length: 1_000 }, () => RawSocket.open(url)));
  for (const socket of sockets) socket.write(text);
  await Promise.all(sockets.map((socket) => socket.until('subscriptions/acknowledged')));
  const call = modern(1, 'tools/call', { name: 'echo' });
  const ask = (other: JsonObject) =>
    fetch(url, { method: 'POST', headers: headersOf(other), body: JSON.stringify(other) });
  // There is no room for another stream, and all the room for calls.
  expect((await ask(message)).status).toBe(503);
  expect((await ask(call)).status).toBe(200);
  changed?.();
  await Promise.all(sockets.map((socket) => socket.until('notifications/resources/updated')));
  for (const socket of sockets) socket.destroy();
  await stopped;
  const again = await ask(message);
  expect(again.status).toBe(200);
  await again.body?.cancel();
  await listener.close();
});

test('a client that stops reading uses bounded memory, and other clients are served', async () => {
  const { promise: done, resolve: ends } = Promise.withResolvers<void>();
  const chatter = defineTool({
    name: 'chatter',
    description: 'Tells much.',
    run: async (_, { progress, log }) => {
      for (let count = 1; count <= 20_000; count++) {
        progress(count, undefined, 'x'.repeat(1_000));
        log('error', 'x'.repeat(1_000));
        if (count % 500 === 0) await new Promise(setImmediate);
      }
      ends();
      return 'Told';
    },
  });
  const tools = new LiveList([chatter, echo]);
  const listener = await serveHttp(example({ tools, logging: true }));
  const { url } = listener;
  const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };
  const message = modern(1, 'tools/call', { name: 'chatter' }, meta);
  const before = await megabytes();
  const deaf = await RawSocket.open(url);
  deaf.socket.pause();
  deaf.write(requestText(url, { headers: headersOf(message), body: JSON.stringify(message) }));
  await done;
  expect((await megabytes()) - before).toBeLessThan(20);
  const call = modern(1, 'tools/call', { name: 'echo' });
  const other = await fetch(url, { method: 'POST', headers: headersOf(call), body: JSON.stringify(call) });
  expect(other.status).toBe(200);
  // Should it read after all, the answer is there.
  deaf.socket.resume();
  await deaf.until('"text":"Told"');
  deaf.destroy();
  await listener.close();
});

test('notifications coalesce for a session whose client does not read', async () => {
  const tools = new LiveList([echo]);
  await using wire = await HttpWire.open(example({ tools }), '2025-11-25');
  const deaf = await RawSocket.open(wire.url);
  deaf.socket.pause();
  deaf.write(
    requestText(wire.url, { method: 'GET', headers: { ...wire.headers, accept: 'text/event-stream' } }),
  );
  await expect.poll(async () => (await wire.ask('ping')).status, patience).toBe(200);
  const before = await megabytes();
  for (let count = 0; count < 20_000; count++) {
    tools.replace([echo]);
    if (count % 1_000 === 0) await new Promise(setImmediate);
  }
  expect((await megabytes()) - before).toBeLessThan(10);
  // A new connection takes over, also from one that is stuck.
  const events = new EventReader(await wire.get());
  tools.replace([echo, steps]);
  expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  deaf.destroy();
});

test('the memory of a request is freed after its answer', async () => {
  const handler = httpHandler(example({ tools: [echo, steps], logging: true }));
  const session = await open(handler);
  const round = async (count: number) => {
    for (let id = 0; id < count; id++) {
      const call = modern(id, 'tools/call', { name: 'steps' }, { progressToken: id });
      await (await post(handler, call, headersOf(call))).text();
      await (await post(handler, modern(id, 'no/such', {}), headersOf(modern(id, 'no/such', {})))).text();
      const inSession = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo' } };
      await (await post(handler, inSession, session)).text();
      const streamed = { ...inSession, params: { name: 'steps', _meta: { progressToken: id } } };
      await (await post(handler, streamed, session)).text();
      const listen = modern(id, 'subscriptions/listen', { notifications: {} });
      const events = new EventReader(await post(handler, listen, headersOf(listen)));
      await events.message();
      await events.close();
    }
  };
  await round(200);
  const before = await megabytes();
  await round(800);
  expect((await megabytes()) - before).toBeLessThan(2);
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  expect(timers).toBeLessThan(20);
  await handler.close();
});
