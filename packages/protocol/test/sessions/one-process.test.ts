import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineResource, defineTool, elicit, LiveList } from '@mcp/protocol';
import { EventReader } from '../http/events.ts';
import { basics, HttpWire, messageOf, refusal } from '../http/http-wire.ts';
import { example, initialize } from '../requirements/wire.ts';
import { calledBy, key, replicaOf, sessions, who } from './sealed.ts';

// What one process keeps of a session: another process continues it, or says that it cannot.

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const capabilities = { elicitation: {} };

const confirm = defineTool({
  name: 'confirm',
  description: 'Asks the user.',
  run: async (_, { ask }) =>
    JSON.stringify(await ask('sure', elicit('Sure?', z.object({ sure: z.boolean() })))),
});

/** A server whose lists and one resource change when the test says so. */
function changing() {
  const changed = new Set<() => void>();
  const tools = new LiveList([who, confirm]);
  const note = defineResource({
    uri: 'note:///one',
    name: 'one',
    read: () => 'One',
    watch: async (_, tell) => {
      changed.add(tell);
      return () => void changed.delete(tell);
    },
    watchList: async (tell) => {
      changed.add(tell);
      return () => void changed.delete(tell);
    },
  });
  const served = example({ tools, resources: [note], stateKey: key });
  return {
    served,
    toolsChange: () => tools.replace([...tools]),
    noteChanges: () => changed.forEach((tell) => tell()),
    watches: () => changed.size,
  };
}

/** The methods of the next messages of a stream, in alphabetical order. */
async function methodsOf(events: EventReader, count: number): Promise<string[]> {
  const methods: string[] = [];
  while (methods.length < count) methods.push(String((await events.message())?.['method']));
  return methods.toSorted();
}

const everyList = ['notifications/resources/list_changed', 'notifications/tools/list_changed'];

test.each(versions)('lists change for a client whose stream is in another process (%s)', async (version) => {
  const { served, toolsChange, noteChanges } = changing();
  await using first = await HttpWire.open(served, version, sessions);
  await using second = await replicaOf(first, served);
  const events = new EventReader(await second.get());
  // What changed before the stream opened here is not known here.
  expect(await methodsOf(events, 2)).toEqual(everyList);
  toolsChange();
  expect(await methodsOf(events, 1)).toEqual(['notifications/tools/list_changed']);
  // The client listed the resources at the first process.
  await first.ask('resources/list');
  noteChanges();
  expect(await methodsOf(events, 1)).toEqual(['notifications/resources/list_changed']);
});

test.each(versions)('each process notifies, whichever got the requests before (%s)', async (version) => {
  const { served, toolsChange, noteChanges } = changing();
  await using first = await HttpWire.open(served, version, sessions);
  const began = await first.post(initialize(1, version), basics);
  first.session = began.headers.get('mcp-session-id')!;
  await using second = await replicaOf(first, served);
  await second.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, second.headers);
  await second.ask('resources/list');
  const events = new EventReader(await first.get());
  toolsChange();
  noteChanges();
  expect(await methodsOf(events, 2)).toEqual(everyList);
});

test('an answer that arrives at another process is refused there, and answers no question of it', async () => {
  const { served } = changing();
  await using first = await HttpWire.open(served, '2025-11-25', sessions, { capabilities });
  await using second = await replicaOf(first, served);
  const calls = [first, second].map(async (wire) => new EventReader(await wire.call('confirm')));
  const streams = await Promise.all(calls);
  const questions = [];
  for (const events of streams) questions.push(await events.message());
  const [one, two] = questions.map((question) => question!['id']);
  expect(one).not.toBe(two);
  const answer = (id: unknown, sure: boolean) => ({
    jsonrpc: '2.0',
    id,
    result: { action: 'accept', content: { sure } },
  });
  expect(await refusal(await second.send(answer(one, true)))).toEqual([
    400,
    {
      code: -32600,
      message:
        'No request of the server waits here for this response; it has ended, or it came from another process: ' +
        'route the requests of a session to one process',
    },
  ]);
  expect((await second.send(answer(two, false))).status).toBe(202);
  expect((await first.send(answer(one, true))).status).toBe(202);
  for (const [index, events] of streams.entries())
    expect(await events.message()).toMatchObject({
      result: { content: [{ text: `{"sure":${index === 0}}` }] },
    });
});

test('a batch with an answer for another process is refused as a whole', async () => {
  let count = 0;
  const counting = defineTool({ name: 'count', description: 'Counts.', run: () => String(++count) });
  const served = example({ tools: [counting], stateKey: key });
  await using first = await HttpWire.open(served, '2025-03-26', sessions);
  const unknownAnswer = { jsonrpc: '2.0', id: 'elsewhere-1', result: {} };
  const ping = { jsonrpc: '2.0', id: 5, method: 'ping' };
  expect((await first.post([unknownAnswer], first.headers)).status).toBe(400);
  expect((await first.post([unknownAnswer, ping], first.headers)).status).toBe(400);
  const call = first.request('tools/call', { name: 'count', arguments: {} });
  expect((await first.post([call, unknownAnswer], first.headers)).status).toBe(400);
  expect(await (await first.post([call, ping], first.headers)).json()).toMatchObject([
    { result: { content: [{ text: '1' }] } },
    { result: {} },
  ]);
});

const uri = 'note:///one';

test('a subscription needs the stream for its notifications', async () => {
  const { served } = changing();
  await using first = await HttpWire.open(served, '2025-11-25', sessions);
  await using second = await replicaOf(first, served);
  expect((await first.get()).status).toBe(200);
  expect(await messageOf(await second.ask('resources/subscribe', { uri }))).toMatchObject({
    error: {
      code: -32602,
      message:
        'Cannot subscribe: the stream for notifications is not open in this process; open it, and route the requests of a session to one process',
    },
  });
});

test.each(versions)('a subscription is in the process of its stream (%s)', async (version) => {
  const { served, noteChanges } = changing();
  await using first = await HttpWire.open(served, version, sessions);
  await using second = await replicaOf(first, served);
  const events = new EventReader(await first.get());
  if (version === '2025-11-25') await events.next();
  expect(await messageOf(await first.ask('resources/subscribe', { uri }))).toMatchObject({ result: {} });
  expect(await methodsOf(events, 1)).toEqual(['notifications/resources/updated']);
  noteChanges();
  expect(await methodsOf(events, 2)).toContain('notifications/resources/updated');
  expect(await messageOf(await second.ask('resources/unsubscribe', { uri }))).toMatchObject({
    error: {
      code: -32602,
      message:
        'No subscription to "note:///one" in this process; route the requests of a session to one process',
    },
  });
  expect(await messageOf(await first.ask('resources/unsubscribe', { uri }))).toMatchObject({ result: {} });
});

test.each(versions)('a stream that opens while a client subscribes is waited for (%s)', async (version) => {
  const { served } = changing();
  await using first = await HttpWire.open(served, version, sessions);
  const subscribed = first.ask('resources/subscribe', { uri });
  const events = new EventReader(await first.get());
  expect(await messageOf(await subscribed)).toMatchObject({ result: {} });
  if (version === '2025-11-25') await events.next();
  expect(await methodsOf(events, 1)).toEqual(['notifications/resources/updated']);
});

test.each(versions)(
  'a stream continues elsewhere unless something was lost with it (%s)',
  async (version) => {
    const { served, toolsChange } = changing();
    await using first = await HttpWire.open(served, version, sessions);
    await using second = await replicaOf(first, served);
    const events = new EventReader(await first.get());
    toolsChange();
    let event = await events.next();
    if (event?.data === '') event = await events.next();
    // Nothing is lost but changes of lists, which the other process notifies.
    const others = new EventReader(await second.get({ 'last-event-id': event!.id! }));
    expect(await methodsOf(others, 2)).toEqual(everyList);
    // A subscription is lost with its process.
    await first.ask('resources/subscribe', { uri });
    const { id } = (await events.next())!;
    const lost = [
      404,
      {
        code: -32600,
        message:
          'The stream of this Last-Event-ID was lost with its process; send "initialize" to begin a new session',
      },
    ];
    expect(await refusal(await second.get({ 'last-event-id': id! }))).toEqual(lost);
    expect((await first.get({ 'last-event-id': id! })).status).toBe(200);
    // So are the messages of a request.
    const ofRequest = id!.replace(/s-0-/, '-1-');
    expect(await refusal(await second.get({ 'last-event-id': ofRequest }))).toEqual(lost);
    // An id of a session without a sealed id is no place in a stream here.
    expect((await second.get({ 'last-event-id': '0-1' })).status).toBe(400);
  },
);

test('a session that has left the memory does not resume a stream from before', async () => {
  const { served } = changing();
  const options = { ...sessions, limits: { maxSessions: 1 } };
  await using wire = await HttpWire.open(served, '2025-11-25', options);
  const events = new EventReader(await wire.get());
  await events.next();
  await wire.ask('resources/subscribe', { uri });
  const { id } = (await events.next())!;
  await events.close();
  const before = wire.session;
  // The server notices a little later that the stream has ended.
  await expect.poll(async () => (await wire.handshake()).status, { timeout: 10_000 }).toBe(200);
  expect(wire.session).not.toBe(before);
  wire.session = before;
  expect(await calledBy(wire)).toMatchObject({ revision: '2025-11-25' });
  expect((await wire.get({ 'last-event-id': id! })).status).toBe(404);
});

test.each(versions)('a session that leaves a process ends its watches there (%s)', async (version) => {
  const { served, watches } = changing();
  await using first = await HttpWire.open(served, version, { ...sessions, limits: { maxSessions: 1 } });
  await using second = await replicaOf(first, served);
  await second.ask('ping');
  // All sessions share one watch.
  await expect.poll(watches, { timeout: 10_000 }).toBe(1);
  expect((await second.delete()).status).toBe(204);
  // Each new session takes the place of the last one.
  for (let count = 0; count < 5; count++) await first.handshake();
  expect(watches()).toBe(1);
  expect((await first.delete()).status).toBe(204);
  await expect.poll(watches, { timeout: 10_000 }).toBe(0);
});
