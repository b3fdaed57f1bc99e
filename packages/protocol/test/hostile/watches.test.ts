import { expect, test } from 'vitest';
import { defineResource, defineServer, defineTool, LiveList, type Server } from '@mcp/protocol';
import { RawConnection } from '@mcp/protocol/testing';
import { cancel, failure, initialize, modern, notification, ping, pong, request } from './messages.ts';

type Stop = () => void | Promise<void>;

/** A server with one resource template, whose watch the test defines and triggers. */
class Watched {
  readonly changed = new Map<string, () => void>();
  readonly stopped: string[] = [];
  starts = 0;
  readonly server: Server;

  constructor(start: (watched: Watched, name: string, changed: () => void) => Stop | Promise<Stop>) {
    const thing = defineResource({
      uri: 'thing:///{name}',
      name: 'thing',
      read: () => '',
      watch: ({ name }, changed) => {
        this.starts++;
        this.changed.set(name, changed);
        return start(this, name, changed);
      },
    });
    this.server = defineServer({ name: 'watched', version: '1', resources: [thing] });
  }

  stop(name: string): Stop {
    return () => void this.stopped.push(name);
  }
}

async function conversation({ server }: { server: Server }): Promise<RawConnection> {
  const connection = new RawConnection(server, { graceMs: 50 });
  await connection.ask(initialize('2025-11-25'));
  connection.send(notification('notifications/initialized'));
  return connection;
}

const subscribe = (id: number | string, name: string) =>
  request(id, 'resources/subscribe', { uri: `thing:///${name}` });
const unsubscribe = (id: number | string, name: string) =>
  request(id, 'resources/unsubscribe', { uri: `thing:///${name}` });
const listen = (id: number | string, ...names: string[]) =>
  modern(id, 'subscriptions/listen', {
    notifications: { resourceSubscriptions: names.map((name) => `thing:///${name}`) },
  });
const updated = (name: string) =>
  notification('notifications/resources/updated', { uri: `thing:///${name}` });
const quietly = (watched: Watched, name: string) => watched.stop(name);

test('a watch that throws refuses the subscription, and the next one tries again', async () => {
  const watched = new Watched((self, name) => {
    if (self.starts === 1) throw new Error('Not yet');
    return self.stop(name);
  });
  const connection = await conversation(watched);
  expect(await connection.ask(subscribe(1, 'a'))).toEqual(
    failure(1, -32002, 'Not yet', { uri: 'thing:///a' }),
  );
  expect(await connection.ask(subscribe(2, 'a'))).toEqual(pong(2));
  watched.changed.get('a')?.();
  expect(await connection.next()).toEqual(updated('a'));
  expect(await connection.end()).toEqual([]);
  expect(watched.stopped).toEqual(['a']);
});

test('a stream omits resources that cannot be watched', async () => {
  const watched = new Watched((self, name) => {
    if (name === 'b') throw new Error('Not this one');
    return self.stop(name);
  });
  const connection = new RawConnection(watched.server);
  expect(await connection.ask(listen(1, 'a', 'b', 'a/b', 'c'))).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { resourceSubscriptions: ['thing:///a', 'thing:///c'] } },
  });
  expect(await connection.end()).toMatchObject([
    { id: 1, result: {} },
    { method: 'notifications/cancelled' },
  ]);
  expect(watched.stopped).toEqual(['a', 'c']);
});

test('a stop that throws or rejects ends the other watches, and the connection', async () => {
  const warnings: string[] = [];
  const watched = new Watched((self, name) => () => {
    self.stopped.push(name);
    if (name === 'throws') throw new Error('It throws');
    if (name === 'rejects') return Promise.reject(new Error('It rejects'));
  });
  const connection = new RawConnection(watched.server, { onWarning: (message) => warnings.push(message) });
  await connection.ask(initialize('2025-11-25'));
  for (const name of ['throws', 'a', 'rejects', 'b']) await connection.ask(subscribe(name, name));
  expect(await connection.ask(unsubscribe(1, 'rejects'))).toEqual(failure(1, -32603, 'It rejects'));
  expect(await connection.ask(unsubscribe(2, 'rejects'))).toEqual(pong(2));
  expect(await connection.end()).toEqual([]);
  expect(watched.stopped).toEqual(['rejects', 'throws', 'a', 'b']);
  expect(warnings).toMatchObject(
    [/^Request 1 failed: Error: It rejects\n/, /^A subscription could not be ended: Error: It throws\n/].map(
      (message) => expect.stringMatching(message) as string,
    ),
  );
});

test('a stream whose stop throws ends the others', async () => {
  const watched = new Watched((self, name) => () => {
    self.stopped.push(name);
    if (name === 'a') throw new Error('It throws');
  });
  const connection = new RawConnection(watched.server);
  await connection.ask(listen(1, 'a', 'b'));
  connection.send(cancel(1));
  expect(await connection.ask(modern(2, 'server/discover'))).toMatchObject({ id: 2 });
  await connection.end();
  expect(watched.stopped).toEqual(['a', 'b']);
});

test('changes coalesce, and changes after the stop are ignored', async () => {
  const watched = new Watched((self, name, changed) => {
    for (let time = 0; time < 1_000; time++) changed();
    return self.stop(name);
  });
  const connection = await conversation(watched);
  connection.send(subscribe(1, 'a'));
  const both = [await connection.next(), await connection.next()];
  expect(both).toEqual(expect.arrayContaining([pong(1), updated('a')]));
  for (let time = 0; time < 1_000; time++) watched.changed.get('a')?.();
  expect(await connection.next()).toEqual(updated('a'));
  expect(await connection.ask(unsubscribe(2, 'a'))).toEqual(pong(2));
  watched.changed.get('a')?.();
  expect(await connection.ask(ping(3))).toEqual(pong(3));
  expect(await connection.end()).toEqual([]);
  expect(watched.stopped).toEqual(['a']);
});

test('a subscription that is ended while its watch starts is stopped', async () => {
  let begin: (() => void) | undefined;
  const watched = new Watched(async (self, name) => {
    await new Promise<void>((resolve) => (begin = resolve));
    return self.stop(name);
  });
  const connection = await conversation(watched);
  connection.send(subscribe(1, 'a'));
  connection.send(unsubscribe(2, 'a'));
  expect(await connection.ask(ping(3))).toEqual(pong(3));
  begin?.();
  expect([await connection.next(), await connection.next()]).toEqual(
    expect.arrayContaining([pong(1), pong(2)]),
  );
  watched.changed.get('a')?.();
  expect(await connection.ask(ping(4))).toEqual(pong(4));
  expect(watched.stopped).toEqual(['a']);
  expect(await connection.end()).toEqual([]);
});

test('a stream that is cancelled while its watches start is stopped', async () => {
  let begin: (() => void) | undefined;
  const watched = new Watched(async (self, name) => {
    await new Promise<void>((resolve) => (begin = resolve));
    return self.stop(name);
  });
  const connection = await conversation(watched);
  connection.send(listen(1, 'a'));
  connection.send(cancel(1));
  expect(await connection.ask(ping(2))).toEqual(pong(2));
  begin?.();
  expect(await connection.ask(ping(3))).toEqual(pong(3));
  expect(await connection.end()).toEqual([]);
  expect(watched.stopped).toEqual(['a']);
});

test('a watch that never starts does not keep the connection open', async () => {
  const watched = new Watched(() => new Promise(() => {}));
  const connection = await conversation(watched);
  connection.send(subscribe(1, 'a'));
  connection.send(listen(2, 'b'));
  expect(await connection.ask(ping(3))).toEqual(pong(3));
  expect(await connection.end()).toEqual([]);
});

test('ten thousand subscriptions, and ten thousand in one stream, are notified', async () => {
  const watched = new Watched(quietly);
  const connection = await conversation(watched);
  const names = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
  for (const name of names) connection.send(subscribe(name, name));
  for (const name of names) expect(await connection.next()).toEqual(pong(name));
  for (const tell of watched.changed.values()) tell();
  for (const name of names) expect(await connection.next()).toEqual(updated(name));
  expect(await connection.ask(listen('stream', ...names))).toMatchObject({
    params: { notifications: { resourceSubscriptions: { length: 10_000 } } },
  });
  // One watch each, however many listen.
  expect(watched.starts).toBe(10_000);
  connection.send(listen('more', ...names, 'one more'));
  expect(await connection.next()).toEqual(
    failure('more', -32602, 'At most 10000 URIs can be subscribed to in one request'),
  );
  await connection.end();
  expect(watched.stopped).toHaveLength(10_000);
});

test('two subscriptions of one URI cause one notification', async () => {
  const watched = new Watched(quietly);
  const connection = await conversation(watched);
  expect(await connection.ask(subscribe(1, 'a'))).toEqual(pong(1));
  expect(await connection.ask(subscribe(2, 'a'))).toEqual(pong(2));
  watched.changed.get('a')?.();
  expect(await connection.next()).toEqual(updated('a'));
  expect(await connection.ask(unsubscribe(3, 'a'))).toEqual(pong(3));
  expect(await connection.ask(unsubscribe(4, 'a'))).toEqual(pong(4));
  expect(watched.stopped).toEqual(['a']);
  expect(await connection.end()).toEqual([]);
});

test('a second handshake ends the subscriptions of the first', async () => {
  const watched = new Watched(quietly);
  const connection = await conversation(watched);
  await connection.ask(subscribe(1, 'a'));
  await connection.ask(initialize('2025-06-18', 2));
  expect(await connection.ask(ping(3))).toEqual(pong(3));
  watched.changed.get('a')?.();
  expect(await connection.end()).toEqual([]);
  expect(watched.stopped).toEqual(['a']);
});

test('a list that cannot be watched is still served, with a warning', async () => {
  const warnings: string[] = [];
  const stopped: string[] = [];
  const listed = (name: string, watchList: () => Stop) =>
    defineResource({ uri: `${name}:///{id}`, name, read: () => '', list: () => [], watchList });
  const server = defineServer({
    name: 'lists',
    version: '1',
    resources: [
      listed('a', () => () => void stopped.push('a')),
      listed('b', () => {
        throw new Error('Nothing to hear here');
      }),
    ],
  });
  const connection = new RawConnection(server, { onWarning: (message) => warnings.push(message) });
  await connection.ask(initialize('2025-11-25'));
  expect(await connection.ask(request(1, 'resources/list'))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { resources: [] },
  });
  expect(
    await connection.ask(
      modern(2, 'subscriptions/listen', { notifications: { resourcesListChanged: true } }),
    ),
  ).toEqual(failure(2, -32603, 'Nothing to hear here'));
  expect(await connection.end()).toEqual([]);
  expect(warnings).toContain('The list of resources cannot be watched: Nothing to hear here');
  // Once for the conversation, and once for the stream.
  expect(stopped).toEqual(['a', 'a']);
});

test('a list that changes ten thousand times in one turn causes one notification', async () => {
  const tools = new LiveList([
    defineTool({
      name: 'change',
      description: 'Changes',
      run() {
        for (let time = 0; time < 10_000; time++) tools.replace(tools);
      },
    }),
  ]);
  const connection = await conversation({
    server: defineServer({ name: 'l', version: '1', tools }),
  });
  connection.send(request(1, 'tools/call', { name: 'change' }));
  const messages = [await connection.next(), await connection.next()];
  expect(new Set(messages.map(({ id, method }) => id ?? method))).toEqual(
    new Set([1, 'notifications/tools/list_changed']),
  );
  expect(await connection.end()).toEqual([]);
});
