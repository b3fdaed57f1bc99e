import { defineTool, inputRequired, listRoots } from '@mcp/protocol';
import { expect, test } from 'vitest';
import { HttpEndpoint } from '../../src/http/endpoint.ts';
import { WebRequest } from '../../src/http/adapters/web.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, HttpWire } from '../http/http-wire.ts';
import { example, initialize, metaOf, stateless } from '../requirements/wire.ts';

const echo = defineTool({ name: 'echo', description: 'Echoes.', run: () => 'Echo' });
const ask = defineTool({
  name: 'ask',
  description: 'Asks.',
  run: (_, { inputs }) => ('roots' in inputs ? 'Answered' : inputRequired({ roots: listRoots() })),
});
const verify = (token: string) => ({ principal: token });
const of = (name: string) => ({ authorization: `Bearer ${name}` });
const sse = { path: '/sse', postPath: '/messages' };

/** A client of HTTP+SSE that has shaken hands; undefined where the server has no room for it. */
async function connectSse(url: string, headers: { readonly [name: string]: string } = {}) {
  const response = await fetch(new URL(sse.path, url), { headers });
  if (response.status !== 200) return void (await response.text());
  const events = new EventReader(response);
  const target = new URL((await events.next())?.data ?? '', url);
  const post = async (message: object) => {
    const all = { 'content-type': 'application/json', ...headers };
    const posted = await fetch(target, { method: 'POST', headers: all, body: JSON.stringify(message) });
    await posted.text();
    return posted.status;
  };
  const call = (name: string) =>
    post({ jsonrpc: '2.0', id: name, method: 'tools/call', params: { name, arguments: {} } });
  await post(initialize(1, '2024-11-05', { roots: {} }));
  await events.message();
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { events, post, call };
}

test.each([
  ['on the loopback', {}, { maxSessions: 3 }],
  ['of one principal', { authorization: { verify } }, { maxSessionsPerClient: 3 }],
])(
  'clients of HTTP+SSE that were used and abandoned %s make room for new ones',
  async (_, options, limits) => {
    await using listener = await HttpWire.open(example({ tools: [echo] }), stateless, {
      sse,
      ...options,
      limits,
    });
    const mine = (await connectSse(listener.url, of('alice')))!;
    for (let count = 0; count < 20; count++) {
      const abandoned = await connectSse(listener.url, of('alice'));
      expect(await abandoned?.call('echo')).toBe(202);
      // A client that sends requests is kept.
      expect(await mine.call('echo')).toBe(202);
      expect(await mine.events.message()).toMatchObject({ id: 'echo' });
    }
  },
);

test('a client of HTTP+SSE with a question to answer is not ended for a new one', async () => {
  const limits = { maxSessions: 1 };
  await using listener = await HttpWire.open(example({ tools: [ask, echo] }), stateless, { sse, limits });
  const asked = (await connectSse(listener.url))!;
  await asked.call('ask');
  const question = await asked.events.message();
  expect(question).toMatchObject({ method: 'roots/list' });
  expect(await connectSse(listener.url)).toBeUndefined();
  await asked.post({ jsonrpc: '2.0', id: question!['id'], result: { roots: [] } });
  expect(await asked.events.message()).toMatchObject({ id: 'ask' });
  expect(await connectSse(listener.url)).toBeDefined();
  expect(await asked.events.message()).toBeUndefined();
  expect(await asked.call('echo')).toBe(404);
});

test('a client of HTTP+SSE above its share makes room for others, and no other client does', async () => {
  await using listener = await HttpWire.open(example({ tools: [echo] }), stateless, {
    sse,
    authorization: { verify },
    limits: { maxSessions: 6, maxSessionsPerClient: 6 },
  });
  const carol = (await connectSse(listener.url, of('carol')))!;
  for (let count = 0; count < 20; count++)
    expect(await connectSse(listener.url, of('mallory'))).toBeDefined();
  for (const name of ['alice', 'bob']) expect(await connectSse(listener.url, of(name))).toBeDefined();
  expect(await carol.call('echo')).toBe(202);
  expect(await carol.events.message()).toMatchObject({ id: 'echo' });
});

const listen = {
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: { notifications: {}, _meta: metaOf() },
};

test('a client above its share of the streams makes room for others, and no other client does', async () => {
  await using listener = await HttpWire.open(example({ tools: [echo] }), stateless, {
    authorization: { verify },
    limits: { maxStreams: 6 },
  });
  const open = async (name: string) => {
    const headers = { ...headersOf(listen), ...of(name) };
    const response = await fetch(listener.url, { method: 'POST', headers, body: JSON.stringify(listen) });
    if (response.status !== 200) return void (await response.text());
    const events = new EventReader(response);
    await events.message();
    return events;
  };
  const carol = (await open('carol'))!;
  const mallory = [];
  for (let count = 0; count < 5; count++) mallory.push((await open('mallory'))!);
  // A client may not end its own streams, nor those of a client with fewer.
  expect(await open('mallory')).toBeUndefined();
  const others = [];
  for (const name of ['alice', 'bob', 'dave']) others.push(await open(name));
  expect(others).not.toContain(undefined);
  expect(await open('mallory')).toBeUndefined();
  // The newest of its streams have ended.
  for (const events of mallory.slice(2)) expect(await events.message()).toBeUndefined();
  const kept = [carol, ...mallory.slice(0, 2), ...others];
  for (const events of kept) await events?.close();
  await expect.poll(async () => (await open('mallory')) !== undefined).toBe(true);
});

test('on the loopback, a session above its share of the streams makes room for others', async () => {
  await using wire = await HttpWire.open(example({ tools: [echo] }), '2025-11-25', {
    limits: { maxStreams: 4 },
  });
  const greedy = [];
  for (let count = 0; count < 4; count++) greedy.push(new EventReader(await wire.get()));
  expect((await wire.get()).status).toBe(503);
  await wire.handshake();
  expect((await wire.get()).status).toBe(200);
  // Requests without a session come from one more client.
  const alone = () =>
    fetch(wire.url, { method: 'POST', headers: headersOf(listen), body: JSON.stringify(listen) });
  expect((await alone()).status).toBe(200);
  expect((await alone()).status).toBe(503);
});

class RequestFrom extends WebRequest {
  readonly address: string;

  constructor(address: string, request: Request) {
    super(request);
    this.address = address;
  }
}

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', 1],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 2],
  ['2001:db8::1', '2001:db8::1:0:0:1', 1],
  ['fe80::1%eth0', 'fe80::2%eth1', 1],
  ['203.0.113.1', '::ffff:203.0.113.1', 1],
  ['203.0.113.1', '203.0.113.2', 2],
  ['::ffff:203.0.113.1', '::ffff:203.0.113.2', 2],
])('sessions of %s and %s are of one network or of two', async (one, other, clients) => {
  const limits = { maxSessionsPerClient: 1 };
  const endpoint = new HttpEndpoint(example({ tools: [echo] }), { limits });
  const send = async (address: string, message: object, session?: string) => {
    const headers = { ...basics, ...(session !== undefined && { 'mcp-session-id': session }) };
    const init = { method: 'POST', headers, body: JSON.stringify(message) };
    return endpoint.answer(new RequestFrom(address, new Request('http://localhost/mcp', init)));
  };
  const first = await send(one, initialize(1, '2025-11-25'));
  await send(other, initialize(1, '2025-11-25'));
  const ping = await send(one, { jsonrpc: '2.0', id: 2, method: 'ping' }, first.headers['mcp-session-id']);
  expect(ping.status).toBe(clients === 1 ? 404 : 200);
  await endpoint.close();
});
