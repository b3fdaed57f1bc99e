import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { connectTo, newest, paramsOf, ScriptedPeer, text } from './scripted-peer.ts';
import { statelessScript } from './scripted-server.ts';
import { Client } from '@mcp/protocol/client';

const form = { mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
const inputRequests = { name: { method: 'elicitation/create', params: form } };
const task = (rest: object) => ({
  result: { taskId: 't1', createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 20, ...rest },
});
const initialized = (message: JsonObject) => ({
  result: { protocolVersion: paramsOf(message)['protocolVersion'], capabilities: {} },
});

test('an abort ends a call that waits for the next connection', async () => {
  const peer = new ScriptedPeer('2025-11-25', {
    initialize: (message) => (peer.opened > 1 ? undefined : initialized(message)),
  });
  const client = await connectTo(peer, '2025-11-25');
  await peer.crash();
  await peer.has('notifications/initialized', 1);
  const abort = new AbortController();
  const call = client.callTool('any', {}, { signal: abort.signal });
  await peer.has('initialize', 2);
  abort.abort(new Error('Enough'));
  await expect(call).rejects.toThrow('Enough');
  await client.close();
});

test('an abort ends a client that is connecting, and closes its connection', async () => {
  const peer = new ScriptedPeer('2025-11-25', { initialize: () => undefined });
  const abort = new AbortController();
  const connecting = connectTo(peer, '2025-11-25', { signal: abort.signal });
  await peer.has('initialize', 1);
  abort.abort(new Error('Enough'));
  await expect(connecting).rejects.toThrow('Enough');
  expect(peer.closed).toBe(1);
  await expect(connectTo(peer, '2025-11-25', { signal: abort.signal })).rejects.toThrow('Enough');
  expect(peer.opened).toBe(1);
});

test('an abort after the connection was opened does not close it', async () => {
  const peer = new ScriptedPeer('2025-11-25', { initialize: initialized });
  const abort = new AbortController();
  await using client = await connectTo(peer, '2025-11-25', { signal: abort.signal, roots: async () => [] });
  abort.abort();
  expect(client.declaredCapabilities).toEqual({ roots: { listChanged: true } });
  expect(peer.closed).toBe(0);
});

describe('while the host asks its user', () => {
  /** Calls a tool, aborts the call once the host asks, and expects both to end. */
  const abortWhileAsked = async (peer: ScriptedPeer) => {
    const asked = Promise.withResolvers<AbortSignal>();
    const elicit = (_request: unknown, { signal }: { signal: AbortSignal }) => {
      asked.resolve(signal);
      return new Promise<never>(() => {});
    };
    await using client = await connectTo(peer, newest, { elicit });
    const abort = new AbortController();
    const call = client.callTool('any', {}, { signal: abort.signal });
    const signal = await asked.promise;
    abort.abort(new Error('Enough'));
    await expect(call).rejects.toThrow('Enough');
    expect(signal.aborted).toBe(true);
  };

  test('an abort ends a call that requires input', async () => {
    const peer = new ScriptedPeer(newest, {
      'tools/call': () => ({ result: { resultType: 'input_required', inputRequests } }),
    });
    await abortWhileAsked(peer);
  });

  test('an abort ends a call that has become a task, and cancels the task', async () => {
    const peer = new ScriptedPeer(newest, {
      'tools/call': () => task({ resultType: 'task', status: 'working' }),
      'tasks/get': () => task({ status: 'input_required', inputRequests }),
      'tasks/cancel': () => ({ result: {} }),
    });
    await abortWhileAsked(peer);
    expect(peer.of('tasks/cancel').map(paramsOf)).toMatchObject([{ taskId: 't1' }]);
  });
});

test('a task ends while its server leaves subscriptions/listen unanswered', async () => {
  const states = [{ status: 'working' }, { status: 'completed', result: text('done') }];
  const peer = new ScriptedPeer(newest, {
    'tools/call': () => task({ resultType: 'task', status: 'working' }),
    'tasks/get': () => task(states.shift()!),
    'subscriptions/listen': () => undefined,
  });
  await using client = await connectTo(peer, newest);
  expect(await client.callTool('any')).toEqual(text('done'));
  expect(peer.of('subscriptions/listen')).toHaveLength(1);
});

test('a task is given up and cancelled after the maxTimeoutMs of the client', async () => {
  const peer = new ScriptedPeer(newest, {
    'tools/call': () => task({ resultType: 'task', status: 'working' }),
    'tasks/get': () => task({ status: 'working' }),
    'tasks/cancel': () => ({ result: {} }),
  });
  await using client = await connectTo(peer, newest, { maxTimeoutMs: 100 });
  await expect(client.callTool('any')).rejects.toThrow('The task t1 has not ended within 100 ms');
  expect(peer.of('tasks/cancel')).toHaveLength(1);
});

test('a reason of an abort that is no text cancels the call', async () => {
  const peer = new ScriptedPeer(newest, { 'tools/call': () => undefined });
  await using client = await connectTo(peer, newest);
  const abort = new AbortController();
  const call = client.callTool('any', {}, { signal: abort.signal });
  const reason: unknown = Object.create(null);
  abort.abort(reason);
  expect(await call.catch((error: unknown) => error)).toBe(reason);
});

test('an unreadable response fails the one call that waits beside a subscription, and not that', async () => {
  const acknowledge = `on['subscriptions/listen'] = ({ notifications }, id) => {
      send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } } });
      listens++;
    };`;
  const code = `let listens = 0; ${acknowledge}
    on['tools/call'] = () => { process.stdout.write(Buffer.from([0xff, 0x0a])); }; on.count = () => ({ listens });`;
  await using client = await Client.connect(statelessScript(code), { timeoutMs: 20_000 });
  await client.subscribe('x:///', () => {});
  await expect(client.callTool('any')).rejects.toThrow('A message must be UTF-8');
  expect(await client.request('count')).toMatchObject({ listens: 1 });
});

test('a host that returns nothing answers the server with an error', async () => {
  const peer = new ScriptedPeer('2025-11-25');
  const nothing = (() => Promise.resolve()) as unknown as () => Promise<never>;
  await using client = await connectTo(peer, '2025-11-25', { sample: nothing });
  const params = { messages: [], maxTokens: 1 };
  peer.send({ id: 7, method: 'sampling/createMessage', params });
  const answer = await peer.awaited(({ id, method }) => id === 7 && method === undefined);
  expect(answer).toMatchObject({ error: { code: -32603 } });
  expect(client.revision).toBe('2025-11-25');
});

test('closing while the next connection begins starts the server no more', async () => {
  const peer = new ScriptedPeer('2025-11-25', {
    initialize: (message) => (peer.opened > 1 ? undefined : initialized(message)),
  });
  const negotiations = new Map([[peer.name, { opening: 'handshake', at: Date.now() } as const]]);
  const client = await Client.connect(peer, { negotiations });
  await peer.crash();
  const call = client.listTools();
  call.catch(() => undefined);
  await peer.has('initialize', 2);
  await client.close();
  await expect(call).rejects.toThrow('The client has closed the connection');
  expect(peer.opened).toBe(2);
  expect(negotiations.size).toBe(1);
});
