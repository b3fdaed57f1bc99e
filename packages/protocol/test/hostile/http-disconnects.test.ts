import { createServer, type Server as Listener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { defineTool, elicit, inputRequired, jsonSchema, type Server } from '@mcp/protocol';
import { httpHandler, type HttpOptions } from '../../src/http.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, HttpWire, messageOf } from '../http/http-wire.ts';
import { example, initialize, metaOf } from '../requirements/wire.ts';

const patience = { timeout: 10_000 };

const echo = defineTool({ name: 'echo', description: 'Echoes.', run: () => 'Echo' });

/** A tool that ends when it is released, and records the start of each call. */
function waiting() {
  const { promise: released, resolve: release } = Promise.withResolvers<string>();
  const begun: AbortSignal[] = [];
  let more: (() => void) | undefined;
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    run: (_, { signal }) => {
      begun.push(signal);
      more?.();
      return released;
    },
  });
  const calls = async (count: number) => {
    while (begun.length < count) await new Promise<void>((resolve) => (more = resolve));
  };
  return { wait, begun, calls, release: () => release('Waited') };
}

/** A listener with a promise of each disconnect. */
async function listening(server: Server, options?: HttpOptions) {
  const handler = httpHandler(server, options);
  let left = 0;
  let more: (() => void) | undefined;
  const listener: Listener = createServer((request, response) => {
    response.on('close', () => {
      if (response.writableFinished) return;
      left++;
      more?.();
    });
    handler.node(request, response);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
  return {
    post: (message: JsonObject, headers: { [name: string]: string }, signal?: AbortSignal) =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify(message), ...(signal && { signal }) }),
    left: async (count: number) => {
      while (left < count) await new Promise<void>((resolve) => (more = resolve));
    },
    async [Symbol.asyncDispose]() {
      await handler.close();
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

const modern = (id: number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: metaOf() },
});

test('disconnected clients free their place for others (2026-07-28)', async () => {
  const { wait, begun, calls } = waiting();
  await using http = await listening(example({ tools: [wait, echo] }), { limits: { maxRequests: 10 } });
  for (let round = 1; round <= 5; round++) {
    const client = new AbortController();
    const asked = Array.from({ length: 10 }, (_, id) =>
      http.post(modern(id, 'wait'), headersOf(modern(id, 'wait')), client.signal).catch(() => undefined),
    );
    await calls(round * 10);
    const full = await http.post(modern(1, 'echo'), headersOf(modern(1, 'echo')));
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1']);
    client.abort();
    await http.left(round * 10);
    await Promise.all(asked);
    expect((await http.post(modern(1, 'echo'), headersOf(modern(1, 'echo')))).status).toBe(200);
  }
  expect(begun.every(({ aborted }) => aborted)).toBe(true);
});

test('a disconnect in a session cancels no call, and its calls still count towards the limit', async () => {
  const { wait, begun, calls, release } = waiting();
  await using http = await listening(example({ tools: [wait, echo] }), { limits: { maxRequests: 20 } });
  const opened = await http.post(initialize(1, '2025-11-25'), basics);
  const session = { ...basics, 'mcp-session-id': opened.headers.get('mcp-session-id')! };
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  const client = new AbortController();
  for (let id = 1; id <= 20; id++) await http.post(call(id, 'wait'), session, client.signal);
  await calls(20);
  client.abort();
  await http.left(20);
  expect(begun.some(({ aborted }) => aborted)).toBe(false);
  expect((await http.post(call(99, 'echo'), session)).status).toBe(503);
  // Notifications are still accepted, so that a client can cancel.
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await http.post(cancelled, session)).status).toBe(202);
  expect(begun[0]?.aborted).toBe(true);
  release();
  await expect.poll(async () => (await http.post(call(99, 'echo'), session)).status, patience).toBe(200);
});

test('a call that waits for its client completes when the client reconnects and answers', async () => {
  const form = jsonSchema<object>({ type: 'object', properties: {} }, (value) => value as object);
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    run: (_, { inputs }) => (inputs['it'] ? 'Thank you' : inputRequired({ it: elicit('Well?', form) })),
  });
  await using wire = await HttpWire.open(
    example({ tools: [ask] }),
    '2025-11-25',
    {},
    {
      capabilities: { elicitation: {} },
    },
  );
  const asked = new EventReader(await wire.call('ask'));
  const { id: prime } = (await asked.next())!;
  await asked.close();
  const resumed = new EventReader(await wire.get({ 'last-event-id': prime! }));
  const question = await resumed.message();
  expect(question).toMatchObject({ method: 'elicitation/create' });
  await wire.send({ jsonrpc: '2.0', id: question!['id'], result: { action: 'accept', content: {} } });
  expect(await resumed.message()).toMatchObject({ id: 1, result: { content: [{ text: 'Thank you' }] } });
  expect(await resumed.next()).toBeUndefined();
});

test('the end of a session ends the calls in it', async () => {
  for (const version of ['2025-03-26', '2025-11-25']) {
    const { wait, begun, calls } = waiting();
    await using wire = await HttpWire.open(example({ tools: [wait, echo] }), version, {
      limits: { maxRequests: 2 },
    });
    for (let round = 1; round <= 3; round++) {
      const pending = wire.call('wait');
      await calls(round);
      expect((await wire.delete()).status).toBe(204);
      const { status, headers } = await pending;
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const events = await new EventReader(await pending).rest();
      expect(events.filter(({ data }) => data)).toEqual([]);
      expect(begun[round - 1]?.aborted).toBe(true);
      expect((await wire.call('echo')).status).toBe(404);
      await wire.handshake();
    }
    expect(await messageOf(await wire.call('echo'))).toMatchObject({
      result: { content: [{ text: 'Echo' }] },
    });
  }
});

test('a cancelled call of a session gets a stream without a response', async () => {
  for (const version of ['2025-03-26', '2025-11-25']) {
    const { wait, calls } = waiting();
    await using wire = await HttpWire.open(example({ tools: [wait] }), version);
    const pending = wire.call('wait');
    await calls(1);
    await wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const events = await new EventReader(await pending).rest();
    expect(events.filter(({ data }) => data)).toEqual([]);
  }
});

test('a disconnect while the token is checked cancels the call', async () => {
  const { wait, begun, calls } = waiting();
  const { promise: checking, resolve: checks } = Promise.withResolvers<void>();
  const { promise: checked, resolve: check } = Promise.withResolvers<void>();
  const authorization = {
    verify: async () => {
      checks();
      await checked;
      return { principal: 'slow' };
    },
  };
  await using http = await listening(example({ tools: [wait] }), { authorization });
  const client = new AbortController();
  const message = modern(1, 'wait');
  const headers = { ...headersOf(message), authorization: 'Bearer x' };
  const asked = http.post(message, headers, client.signal).catch(() => undefined);
  await checking;
  client.abort();
  await http.left(1);
  check();
  await asked;
  // Its body was there before it left, or was not: either way nothing stays at work.
  const again = new AbortController();
  const second = http.post(message, headers, again.signal).catch(() => undefined);
  await calls(begun.length + 1);
  expect(begun.slice(0, -1).every(({ aborted }) => aborted)).toBe(true);
  again.abort();
  await http.left(2);
  await second;
  expect(begun.every(({ aborted }) => aborted)).toBe(true);
});

test('cancelling the stream of a fetch Response cancels its call', async () => {
  const { promise: aborted, resolve: aborts } = Promise.withResolvers<void>();
  const follow = defineTool({
    name: 'follow',
    description: 'Follows.',
    run: (_, { signal, progress }) => {
      progress(1);
      return new Promise<string>(() => signal.addEventListener('abort', () => aborts()));
    },
  });
  const handler = httpHandler(example({ tools: [follow] }));
  const { params, ...message } = modern(1, 'follow');
  const meta = { ...metaOf(), progressToken: 1 };
  const body = JSON.stringify({ ...message, params: { ...params, _meta: meta } });
  const headers = headersOf(modern(1, 'follow'));
  const response = await handler.fetch(
    new Request('http://localhost/mcp', { method: 'POST', headers, body }),
  );
  const events = new EventReader(response);
  expect(await events.message()).toMatchObject({ params: { progress: 1 } });
  await events.close();
  await aborted;
  await handler.close();
});

test('aborting a fetch Request cancels its call', async () => {
  const { wait, begun, calls } = waiting();
  const handler = httpHandler(example({ tools: [wait] }), { limits: { maxRequests: 1 } });
  for (let round = 1; round <= 3; round++) {
    const client = new AbortController();
    const init = {
      method: 'POST',
      headers: headersOf(modern(1, 'wait')),
      body: JSON.stringify(modern(1, 'wait')),
      signal: client.signal,
    };
    const answer = handler.fetch(new Request('http://localhost/mcp', init));
    await calls(round);
    client.abort();
    await answer;
    expect(begun[round - 1]?.aborted).toBe(true);
  }
  await handler.close();
});
