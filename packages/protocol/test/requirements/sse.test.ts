import { expect } from 'vitest';
import { defineTool, inputRequired, listRoots, LiveList } from '@mcp/protocol';
import { serveHttp } from '../../src/http.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { EventReader } from '../http/events.ts';
import { HttpWire } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example, initialize } from './wire.ts';

const patience = { timeout: 10_000 };

const steps = defineTool({
  name: 'steps',
  description: 'Tells of a step.',
  run: (_, { progress }) => (progress(1), 'Done'),
});

const roots = defineTool({
  name: 'roots',
  description: 'Asks for the roots.',
  run: (_, { inputs }) => (inputs['it'] ? JSON.stringify(inputs['it']) : inputRequired({ it: listRoots() })),
});

const sse = { path: '/sse', postPath: '/messages' };

/** A client of HTTP+SSE. */
async function connect(url: string, headers: { [name: string]: string } = {}) {
  const response = await fetch(new URL(sse.path, url), { headers });
  const events = new EventReader(response);
  const endpoint = await events.next();
  const target = new URL(endpoint?.data ?? '', response.url);
  const post = (message: unknown, more: { [name: string]: string } = {}) =>
    fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...more },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
  return { response, events, endpoint, target, post };
}

requirement(
  ['SSE-01', 'SSE-02', 'SSE-04'],
  'a conversation uses one stream and a path for POST requests',
  async (version) => {
    const tools = new LiveList([steps, roots]);
    const listener = await serveHttp(example({ tools }), { sse });
    const { response, events, endpoint, post } = await connect(listener.url);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(endpoint).toEqual({
      event: 'endpoint',
      data: expect.stringMatching(/^\/messages\?sessionId=[\w-]{36}$/),
    });

    const next = async () => {
      const { event, data, ...more } = (await events.next())!;
      expect([event, more]).toEqual(['message', {}]);
      return JSON.parse(data!) as JsonObject;
    };
    const accepted = await post(initialize(1, version, { roots: {} }));
    expect([accepted.status, await accepted.text()]).toEqual([202, '']);
    expect(await next()).toMatchObject({ id: 1, result: { protocolVersion: version } });
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await post({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'steps', _meta: { progressToken: 7 } },
    });
    expect(await next()).toMatchObject({ method: 'notifications/progress', params: { progressToken: 7 } });
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: 'Done' }] },
    });

    // The server sends requests and notifications on the same stream.
    await post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'roots' } });
    const { id, method } = await next();
    expect(method).toBe('roots/list');
    await post({ jsonrpc: '2.0', id, result: { roots: [] } });
    expect(await next()).toMatchObject({ id: 3, result: { content: [{ text: '{"roots":[]}' }] } });
    tools.replace([steps]);
    expect(await next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

    await post('{"jsonrpc":');
    expect(await next()).toMatchObject({ error: { code: -32700 } });
    await post('['.repeat(50_000) + ']'.repeat(50_000));
    expect(await next()).toMatchObject({ error: { code: -32600 } });
    await listener.close();
    expect(await events.next()).toBeUndefined();
  },
);

requirement('SSE-02', 'only the owner of a stream gets its path for POST requests', async () => {
  const verify = (token: string) => ({ principal: token });
  const listener = await serveHttp(example({ tools: [steps] }), { sse, authorization: { verify } });
  const alice = await connect(listener.url, { authorization: 'Bearer alice' });
  const bob = await connect(listener.url, { authorization: 'Bearer bob' });
  expect(alice.target.href).not.toBe(bob.target.href);
  const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' };
  expect((await alice.post(ping, { authorization: 'Bearer bob' })).status).toBe(404);
  expect((await alice.post(ping)).status).toBe(202);
  expect(await alice.events.message()).toMatchObject({ id: 'ping' });
  // It ends with its stream.
  await bob.events.close();
  await expect.poll(async () => (await bob.post(ping)).status, patience).toBe(404);
  await listener.close();
});

requirement('SSE-05', 'requests from foreign origins are refused on both paths', async () => {
  const listener = await serveHttp(example({ tools: [steps] }), { sse });
  const headers = { origin: 'https://evil.example' };
  expect((await fetch(new URL(sse.path, listener.url), { headers })).status).toBe(403);
  const { post } = await connect(listener.url);
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).status).toBe(403);
  expect(
    (await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'content-type': 'text/plain' })).status,
  ).toBe(415);
  await listener.close();
});

requirement('SSE-06', 'both paths require the token', async () => {
  const listener = await serveHttp(example({ tools: [steps] }), { sse, token: 'secret' });
  expect(new URL(listener.url).hostname).toBe('127.0.0.1');
  expect((await fetch(new URL(sse.path, listener.url))).status).toBe(401);
  const { post } = await connect(listener.url, { authorization: 'Bearer secret' });
  expect((await post('{}', { authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await post('{}')).status).toBe(202);
  await listener.close();
});

requirement('SSE-07', 'HTTP+SSE is disabled by default', async (version) => {
  await using wire = await HttpWire.open(example({ tools: [steps] }), version);
  for (const path of ['/sse', '/messages', '/messages?sessionId=1']) {
    expect((await fetch(new URL(path, wire.url))).status).toBe(404);
  }
});
