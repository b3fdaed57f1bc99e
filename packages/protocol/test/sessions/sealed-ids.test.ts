import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { defineTool, inputRequired } from '@mcp/protocol';
import { type EndedSessions, httpHandler } from '@mcp/protocol/http';
import { EventReader } from '../http/events.ts';
import { Sealer } from '../../src/server/call/sealer.ts';
import { basics, HttpWire, messageOf, refusal } from '../http/http-wire.ts';
import { example, initialize } from '../requirements/wire.ts';
import { calledBy, key, open, replicaOf, server, sessions, unknown, who } from './sealed.ts';

afterEach(() => vi.useRealTimers());

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];

test.each(versions)('a process that has never seen the id serves the session (%s)', async (version) => {
  const capabilities = { elicitation: {}, sampling: {} };
  await using first = await HttpWire.open(server, version, sessions, { capabilities });
  await using second = await replicaOf(first);
  expect(await calledBy(second)).toEqual({
    revision: version,
    info: { name: 'raw', version: '0' },
    // 2025-03-26 has no elicitation.
    capabilities: version === '2025-03-26' ? { sampling: {} } : capabilities,
    sessionId: first.session,
  });
  expect(await calledBy(first)).toEqual(await calledBy(second));
});

test('an id is visible ASCII, differs for each session, and tells nothing of its content', async () => {
  await using wire = await open();
  const ids = new Set<string>();
  for (let count = 0; count < 20; count++) {
    await wire.handshake();
    expect(wire.session).toMatch(/^[\w-]{44,1500}$/);
    ids.add(wire.session!);
  }
  expect(ids.size).toBe(20);
  for (const id of ids) expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('raw');
});

test('capabilities that make an id longer than 1,500 characters are refused', async () => {
  await using wire = await open();
  const send = async (length: number) => {
    const capabilities = { experimental: { x: { text: 'x'.repeat(length) } } };
    return wire.post(initialize(7, '2025-11-25', capabilities), basics);
  };
  // Two lengths that differ by one: base64url has 1,500 characters for 1,125 bytes, and 1,502 for 1,126.
  const first = await send(100);
  const longest = 100 + 1125 - Buffer.from(first.headers.get('mcp-session-id')!, 'base64url').length;
  const fits = await send(longest);
  expect(fits.headers.get('mcp-session-id')).toHaveLength(1500);
  expect(await messageOf(fits)).toHaveProperty('result');
  const refused = await send(longest + 1);
  expect(refused.headers.get('mcp-session-id')).toBeNull();
  expect(await messageOf(refused)).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32602,
      message:
        '"capabilities" and "clientInfo" are too long: they make a session id of 1502 characters; expected at most 1500',
    },
  });
});

test('icons of a client are not in its id', async () => {
  await using wire = await open();
  const icons = [{ src: `data:image/png;base64,${'A'.repeat(5000)}` }];
  const clientInfo = { name: 'iconic', version: '1', title: 'Iconic', icons };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const began = await wire.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, basics);
  wire.session = began.headers.get('mcp-session-id')!;
  const info = { name: 'iconic', version: '1', title: 'Iconic' };
  await using other = await replicaOf(wire);
  for (const each of [wire, other]) expect(await calledBy(each)).toMatchObject({ info });
});

test('an id that was changed in any way is unknown', async () => {
  await using wire = await open();
  await using other = await replicaOf(wire);
  const id = wire.session!;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ~';
  const character = fc.constantFrom(...alphabet.split(''));
  const place = fc.nat(id.length - 1);
  const mutated = fc.oneof(
    fc.tuple(place, character).map(([at, to]) => id.slice(0, at) + to + id.slice(at + 1)),
    fc.tuple(place, character).map(([at, to]) => id.slice(0, at) + to + id.slice(at)),
    place.map((at) => id.slice(0, at) + id.slice(at + 1)),
    place.map((at) => id.slice(0, at + 1)),
    fc.tuple(place, place).map(([from, to]) => id.slice(from, to) + id.slice(to) + id.slice(0, from)),
    fc.string({ unit: character, maxLength: 1600 }),
    fc.constantFrom(`${id}=`, `${id}A`, id + id, 'x'.repeat(1501)),
  );
  await fc.assert(
    fc.asyncProperty(mutated, async (changed) => {
      fc.pre(changed.trim() !== id && changed.trim() !== '');
      other.session = changed;
      expect(await refusal(await other.ask('ping'))).toEqual(unknown);
    }),
    { numRuns: 200 },
  );
  // Every character of the id counts, the last one with its unused bits too.
  for (const to of alphabet.slice(0, 64).split('')) {
    other.session = id.slice(0, -1) + to;
    const expected = other.session === id ? 200 : 404;
    expect([to, (await other.ask('ping')).status]).toEqual([to, expected]);
  }
});

test('a request state is no session id, and a session id is no request state', async () => {
  const pausing = defineTool({
    name: 'pausing',
    description: 'Has the client come back later.',
    run: (_, { state }) => (state === undefined ? inputRequired({}, 'later') : 'Done'),
  });
  const both = example({ tools: [pausing], stateKey: key });
  await using stateless = await HttpWire.open(both, '2026-07-28', sessions);
  await using legacy = await HttpWire.open(both, '2025-11-25', sessions);
  const { result } = (await messageOf(await stateless.call('pausing'))) as {
    result: { requestState: string };
  };
  const id = legacy.session!;
  legacy.session = result.requestState;
  expect(await refusal(await legacy.ask('ping'))).toEqual(unknown);
  const params = { name: 'pausing', arguments: {}, requestState: id };
  expect(await messageOf(await stateless.ask('tools/call', params))).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('"requestState" is refused') as string },
  });
});

test('what is sealed opens for its purpose, in its context and with its key alone', async () => {
  const sealer = new Sealer('one', key);
  const bytes = Buffer.from('content');
  const sealed = await sealer.seal(bytes, 'context');
  expect(await sealer.open(sealed, 'context')).toEqual(bytes);
  expect(await sealer.open(sealed, 'other')).toBeUndefined();
  expect(await new Sealer('two', key).open(sealed, 'context')).toBeUndefined();
  expect(await new Sealer('one', new Uint8Array(32)).open(sealed, 'context')).toBeUndefined();
  expect(await new Sealer('one', [new Uint8Array(32), key]).open(sealed, 'context')).toEqual(bytes);
  // Copies of one process may have the same random values: the nonces still differ with the content.
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((values) => values);
  const nonceOf = async (content: string, context: string) =>
    (await sealer.seal(Buffer.from(content), context)).slice(0, 16);
  const nonces = await Promise.all([
    nonceOf('a', 'b'),
    nonceOf('b', 'b'),
    nonceOf('a', 'c'),
    nonceOf('a', 'b'),
  ]);
  random.mockRestore();
  expect(new Set(nonces).size).toBe(3);
});

test('an id of another key, or of another server, is unknown', async () => {
  await using wire = await open();
  const otherKey = example({ tools: [who], stateKey: new Uint8Array(32).fill(8) });
  const otherName = { ...server, definition: { ...server.definition, name: 'other' } };
  for (const each of [otherKey, otherName]) {
    await using other = await replicaOf(wire, each);
    expect(await refusal(await other.ask('ping'))).toEqual(unknown);
  }
});

test('an id is for its principal alone, in each process', async () => {
  const verify = (token: string) => ({ principal: token });
  const authorized = { ...sessions, authorization: { verify } };
  const of = (name: string) => ({ authorization: `Bearer ${name}` });
  await using wire = await HttpWire.open(server, '2025-11-25', authorized, {}, of('alice'));
  await using other = await replicaOf(wire, server, authorized);
  await using open = await replicaOf(wire);
  const requests = (at: HttpWire) => [() => at.ask('ping', {}, of('bob')), () => at.get(of('bob'))];
  for (const at of [wire, other]) {
    for (const request of [...requests(at), () => at.delete(of('bob'))])
      expect(await refusal(await request())).toEqual(unknown);
    expect((await at.ask('ping', {}, of('alice'))).status).toBe(200);
    expect((await at.ask('ping')).status).toBe(401);
  }
  // A process without authorization has no principals.
  expect(await refusal(await open.ask('ping'))).toEqual(unknown);
});

test('an id expires in each process, and its streams end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const began = Date.now();
  const options = { ...sessions, limits: { sessionLifetimeMs: 3_600_000, sessionIdleMs: 20 } };
  await using wire = await HttpWire.open(server, '2025-11-25', options);
  vi.setSystemTime(began + 3_599_000);
  await using other = await replicaOf(wire, server, options);
  await using third = await replicaOf(wire, server, options);
  for (const at of [wire, other]) expect((await at.ask('ping')).status).toBe(200);
  const events = new EventReader(await wire.get());
  vi.setSystemTime(began + 3_601_000);
  await events.rest();
  for (const at of [wire, other, third]) expect(await refusal(await at.ask('ping'))).toEqual(unknown);
});

test('a call that runs when its id expires is answered', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const began = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const run = () => {
    began.resolve();
    return answer.promise;
  };
  const slow = defineTool({ name: 'slow', description: 'Answers later.', run });
  await using wire = await HttpWire.open(example({ tools: [slow], stateKey: key }), '2025-11-25', sessions);
  const called = wire.call('slow');
  await began.promise;
  vi.setSystemTime(Date.now() + 86_401_000);
  expect(await refusal(await wire.ask('ping'))).toEqual(unknown);
  answer.resolve('Done');
  expect(await messageOf(await called)).toMatchObject({ result: { content: [{ text: 'Done' }] } });
});

test('an id of a clock that is a minute ahead is valid, and no later one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const began = Date.now();
  await using wire = await open();
  await using other = await replicaOf(wire);
  vi.setSystemTime(began - 61_000);
  expect(await refusal(await other.ask('ping'))).toEqual(unknown);
  // A process whose clock was set back still has its session.
  expect((await wire.ask('ping')).status).toBe(200);
  vi.setSystemTime(began - 59_000);
  expect((await other.ask('ping')).status).toBe(200);
});

test('an ended session is refused by its process, and by others that share its end', async () => {
  const keys = new Map<string, number>();
  const ended: EndedSessions = {
    add: async (sessionKey, expiresAt) => void keys.set(sessionKey, expiresAt),
    has: async (sessionKey) => keys.has(sessionKey),
  };
  await using wire = await open({ endedSessions: ended });
  await using sharing = await replicaOf(wire, server, { ...sessions, endedSessions: ended });
  await using alone = await replicaOf(wire);
  for (const at of [sharing, alone]) expect((await at.ask('ping')).status).toBe(200);
  expect((await wire.delete()).status).toBe(204);
  for (const at of [wire, sharing])
    for (const request of [() => at.ask('ping'), () => at.get(), () => at.delete()])
      expect(await refusal(await request())).toEqual(unknown);
  expect((await alone.ask('ping')).status).toBe(200);
  // The process that ends it without a shared store refuses it too, although it could open the id.
  expect((await alone.delete()).status).toBe(204);
  expect(await refusal(await alone.ask('ping'))).toEqual(unknown);
  // What is shared is neither the id nor a part of it.
  const [[sessionKey, expiresAt] = ['', 0]] = keys;
  expect(wire.session).not.toContain(sessionKey);
  expect(expiresAt - Date.now()).toBeGreaterThan(86_000_000);
});

test('a session makes room for another one, and is opened again', async () => {
  await using wire = await open({ limits: { maxSessions: 2 } });
  const ids = [wire.session!];
  for (let count = 0; count < 4; count++) {
    await wire.handshake();
    ids.push(wire.session!);
  }
  for (const id of [...ids, ...ids]) {
    wire.session = id;
    expect((await wire.ask('ping')).status).toBe(200);
  }
});

test('an idle session makes room while all clients above their share are busy', async () => {
  const verify = (token: string) => ({ principal: token });
  const options = { ...sessions, authorization: { verify }, limits: { maxSessions: 4 } };
  const of = (name: string) => ({ authorization: `Bearer ${name}` });
  await using wire = await HttpWire.open(server, '2025-11-25', options, {}, of('bob'));
  const bob = wire.session!;
  for (let count = 0; count < 3; count++) {
    await wire.handshake(of('alice'));
    expect((await wire.get(of('alice'))).status).toBe(200);
  }
  expect((await wire.handshake(of('carol'))).status).toBe(200);
  const carol = wire.session!;
  wire.session = bob;
  expect((await wire.ask('ping', {}, of('bob'))).status).toBe(200);
  // Sessions with open streams are not ended.
  expect((await wire.get(of('bob'))).status).toBe(200);
  expect((await wire.handshake(of('dave'))).status).toBe(503);
  wire.session = carol;
  expect((await wire.ask('ping', {}, of('carol'))).status).toBe(503);
});

test('a server whose sessions cannot be sealed is refused', () => {
  const serve = (parts: Parameters<typeof example>[0]) => () => httpHandler(example(parts), sessions);
  expect(serve({})).toThrow(
    'Sealed sessions need `stateKey` in `defineServer`: 32 bytes, the same in each process',
  );
  expect(serve({ stateKey: key, contextFor: (_, context) => context })).toThrow(
    '`sealedSessions` is not for a server with `contextFor`: one process alone knows the roots of a client',
  );
});
