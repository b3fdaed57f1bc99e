import { expect, test } from 'vitest';
import { defineTool, LiveList } from '@mcp/protocol';
import { EventReader } from '../http/events.ts';
import { HttpWire, refusal } from '../http/http-wire.ts';
import { example } from '../requirements/wire.ts';

/** A tool that sends the log messages of the test before it ends. */
function speaking() {
  let speak: ((text: string) => void) | undefined;
  let end: (() => void) | undefined;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const talk = defineTool({
    name: 'talk',
    description: 'Talks.',
    run: (_, { log }) =>
      new Promise<string>((resolve) => {
        speak = (text) => log('error', text);
        end = () => resolve('Said all');
        begin();
      }),
  });
  return { talk, begun, speak: (text: string) => speak?.(text), end: () => end?.() };
}

const latest = '2025-11-25';
const unknown = [
  400,
  {
    code: -32600,
    message: expect.stringMatching(
      /^Unknown Last-Event-ID: ".*"; open a stream without this header, and read again what may have changed$/,
    ),
  },
] as const;

test('a stream resumes from any of its events, any number of times', async () => {
  const { talk, begun, speak, end } = speaking();
  await using wire = await HttpWire.open(example({ tools: [talk], logging: true }), latest);
  const first = new EventReader(await wire.call('talk'));
  await begun;
  const ids = [(await first.next())!.id!];
  for (const text of ['one', 'two', 'three']) {
    speak(text);
    const event = (await first.next())!;
    expect(JSON.parse(event.data!)).toMatchObject({ params: { data: text } });
    ids.push(event.id!);
  }
  await first.close();
  speak('four');
  // After the second event: the missed events, once each, then new ones.
  const second = new EventReader(await wire.get({ 'last-event-id': ids[1]! }));
  for (const text of ['two', 'three', 'four'])
    expect(await second.message()).toMatchObject({ params: { data: text } });
  // A connection that is still there is replaced.
  const third = new EventReader(await wire.get({ 'last-event-id': ids[3]! }));
  expect(await second.message()).toBeUndefined();
  expect(await third.message()).toMatchObject({ params: { data: 'four' } });
  end();
  expect(await third.message()).toMatchObject({ id: 1, result: { content: [{ text: 'Said all' }] } });
  expect(await third.next()).toBeUndefined();
  // Also when it is over.
  const all = await new EventReader(await wire.get({ 'last-event-id': ids[0]! })).rest();
  expect(all).toHaveLength(5);
  expect(new Set(all.map(({ id }) => id)).size).toBe(5);
});

test('an unknown event id is refused', async () => {
  const { talk, begun, end } = speaking();
  await using wire = await HttpWire.open(example({ tools: [talk] }), latest);
  const call = new EventReader(await wire.call('talk'));
  await begun;
  const { id } = (await call.next())!;
  for (const wrong of [
    '',
    '0',
    'x',
    `${id}0`,
    '1-1',
    '1-999999999',
    '99-0',
    '-1-0',
    '1--1',
    '1e0-0',
    '0x1-0',
    '1-0 ',
    '__proto__',
    '9'.repeat(1_000),
    '0-1',
  ]) {
    if (wrong.trim() === id) continue;
    const response = await wire.get({ 'last-event-id': wrong });
    expect([wrong, await refusal(response)]).toEqual([wrong, unknown]);
  }
  end();
});

test('the events of another session cannot be resumed', async () => {
  const { talk, begun, speak, end } = speaking();
  const server = example({ tools: [talk], logging: true });
  await using wire = await HttpWire.open(server, latest);
  const call = new EventReader(await wire.call('talk'));
  await begun;
  speak('secret');
  await call.next();
  const { id } = (await call.next())!;
  const owner = wire.session!;
  await wire.handshake();
  expect(wire.session).not.toBe(owner);
  expect(await refusal(await wire.get({ 'last-event-id': id! }))).toEqual(unknown);
  end();
});

test('a resumption is refused when evicted events would be missing', async () => {
  const { talk, begun, speak, end } = speaking();
  const limits = { maxReplayLength: 1_000 };
  await using wire = await HttpWire.open(example({ tools: [talk], logging: true }), latest, { limits });
  const call = new EventReader(await wire.call('talk'));
  await begun;
  const { id: first } = (await call.next())!;
  for (let round = 0; round < 5; round++) speak(`${round}${'x'.repeat(400)}`);
  let last = '';
  for (let round = 0; round < 5; round++) last = (await call.next())!.id!;
  await call.close();
  end();
  expect(await refusal(await wire.get({ 'last-event-id': first! }))).toEqual(unknown);
  const rest = new EventReader(await wire.get({ 'last-event-id': last }));
  expect(await rest.message()).toMatchObject({ result: { content: [{ text: 'Said all' }] } });
});

test('a stream that lost all its events is refused, even if other streams have newer events', async () => {
  const quiet = speaking();
  const loud = defineTool({
    name: 'loud',
    description: 'Says much.',
    run: (_, { log }) => {
      log('error', 'y');
      return 'y'.repeat(2_000);
    },
  });
  const limits = { maxReplayLength: 1_000 };
  const server = example({ tools: [quiet.talk, loud], logging: true });
  await using wire = await HttpWire.open(server, latest, { limits });
  const call = new EventReader(await wire.call('talk'));
  await quiet.begun;
  const { id: first } = (await call.next())!;
  quiet.speak('lost');
  await call.next();
  await call.close();
  await (await wire.call('loud')).text();
  expect(await refusal(await wire.get({ 'last-event-id': first! }))).toEqual(unknown);
  quiet.end();
});

test('finished streams are evicted by later ones', async () => {
  const short = defineTool({
    name: 'short',
    description: 'Says one thing.',
    run: (_, { log }) => (log('error', 'x'), 'Short'),
  });
  await using wire = await HttpWire.open(example({ tools: [short], logging: true }), latest);
  const firsts: string[] = [];
  for (let count = 0; count < 150; count++) {
    const [prime] = await new EventReader(await wire.call('short')).rest();
    firsts.push(prime!.id!);
  }
  expect(await refusal(await wire.get({ 'last-event-id': firsts[0]! }))).toEqual(unknown);
  expect(await new EventReader(await wire.get({ 'last-event-id': firsts[149]! })).rest()).toHaveLength(2);
});

test('the GET stream keeps notifications until its client reconnects', async () => {
  const tools = new LiveList([speaking().talk]);
  await using wire = await HttpWire.open(example({ tools }), latest);
  // Without a connection notifications wait, and equal ones coalesce.
  for (let time = 0; time < 100; time++) tools.replace([speaking().talk]);
  const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  const first = new EventReader(await wire.get());
  expect(await first.next()).toEqual({ id: '0-0', data: '' });
  const event = (await first.next())!;
  expect(JSON.parse(event.data!)).toEqual(changed);
  tools.replace([speaking().talk]);
  await first.message();
  await first.close();
  const resumed = new EventReader(await wire.get({ 'last-event-id': event.id! }));
  expect(await resumed.message()).toEqual(changed);
  tools.replace([speaking().talk]);
  expect(await resumed.message()).toEqual(changed);
});

test('a second GET stream does not end the first, which takes over when the second closes', async () => {
  const tools = new LiveList([speaking().talk]);
  await using wire = await HttpWire.open(example({ tools }), latest);
  const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  const first = new EventReader(await wire.get());
  await first.next();
  const second = new EventReader(await wire.get());
  tools.replace([speaking().talk]);
  expect(await second.message()).toEqual(changed);
  await second.close();
  // The server notices the disconnect a moment later; until then, notifications go to the second stream.
  let taken: unknown;
  const message = first.message().then((value) => (taken = value));
  while (taken === undefined) {
    tools.replace([speaking().talk]);
    await Promise.race([message, wire.ask('ping')]);
  }
  expect(taken).toEqual(changed);
});
