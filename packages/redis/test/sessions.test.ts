import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { EventReader } from '../../protocol/test/http/events.ts';
import { describeWithRedis } from './redis-server.ts';
import { type Message, refusal, Session, textOf } from './replicas.ts';
import { SharedSessions } from './shared-sessions.ts';

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const news = 'news:///today';

describeWithRedis('a session at several replicas', () => {
  const shared = new SharedSessions();
  const resultOf = async (response: Response) => (await response.json()) as Message;
  /** The URI of the next update. */
  const updated = async (events: EventReader) => {
    for (;;) {
      const message = await events.message();
      if (!message) throw new Error('The stream has ended');
      if (message['method'] === 'notifications/resources/updated')
        return (message['params'] as { uri: string }).uri;
    }
  };

  test.each(versions)('is notified on its one stream, whichever replica subscribes (%s)', async (version) => {
    const { one, other, note, store } = shared;
    const session = await Session.open(one, version);
    const events = new EventReader(await session.get(one));
    const uri = pathToFileURL(note).href;
    for (const each of [uri, news])
      expect(await resultOf(await session.send(other, 'resources/subscribe', { uri: each }))).toHaveProperty(
        'result',
      );
    // The process with the stream says so when it has subscribed. The file may also have changed just before.
    const silent = new Set([uri, news]);
    while (silent.size > 0) silent.delete(await updated(events));
    writeFileSync(note, `${version} changed`);
    expect(await updated(events)).toBe(uri);
    await store.bus.publish('news', '');
    // Changes of the file may come as several, and as one.
    while ((await updated(events)) !== news);
    await session.send(other, 'resources/unsubscribe', { uri: news });
    await store.bus.publish('news', '');
    writeFileSync(note, `${version} again`);
    expect(await updated(events)).toBe(uri);
  });

  test.each(versions)('takes its subscriptions along to another replica (%s)', async (version) => {
    const { one, other, store } = shared;
    const session = await Session.open(one, version);
    await session.send(one, 'resources/subscribe', { uri: news });
    const first = new EventReader(await session.get(one));
    expect(await updated(first)).toBe(news);
    const second = new EventReader(await session.get(other));
    // What has changed before is not known here.
    expect(await updated(second)).toBe(news);
    await store.bus.publish('news', '');
    expect(await updated(second)).toBe(news);
    // The first one is silent while the second is open, and goes on when it is asked again.
    await second.close();
    const third = new EventReader(await session.get(one));
    expect(await updated(third)).toBe(news);
  });

  test('goes on when its replica is killed, with its subscriptions', async () => {
    const { other, store } = shared;
    await using owner = await shared.replica();
    const session = await Session.open(owner, '2025-11-25');
    await session.send(owner, 'resources/subscribe', { uri: news });
    const events = new EventReader(await session.get(owner));
    let id: string | undefined;
    for (let event = await events.next(); event?.data === ''; event = await events.next()) id = event.id;
    await owner.end();
    const resumed = new EventReader(await session.get(other, id!));
    expect(await updated(resumed)).toBe(news);
    await store.bus.publish('news', '');
    expect(await updated(resumed)).toBe(news);
  });

  test('cannot subscribe to what no replica can watch', async () => {
    const { one } = shared;
    const session = await Session.open(one, '2025-11-25');
    const answer = await session.send(one, 'resources/subscribe', { uri: 'none:///x' });
    expect(await resultOf(answer)).toMatchObject({ error: { code: -32002 } });
  });

  test('has one level for log messages', async () => {
    const { one, other } = shared;
    const session = await Session.open(one, '2025-11-25');
    const logged = async (replica: typeof one) => {
      const events = await new EventReader(await session.call(replica, 'speak')).rest();
      return events
        .flatMap(({ data }) => (data ? [JSON.parse(data) as Message] : []))
        .flatMap(({ params }) => (params ? [(params as { level: string }).level] : []));
    };
    expect(await logged(one)).toEqual(['error']);
    await session.send(one, 'logging/setLevel', { level: 'debug' });
    // A replica that has not seen the session, and one that hears of the change.
    expect(await logged(other)).toEqual(['debug', 'error']);
    await session.send(other, 'logging/setLevel', { level: 'emergency' });
    await expect.poll(async () => (await session.call(one, 'speak')).json()).toHaveProperty('result');
    expect(await textOf(await session.call(one, 'speak'))).toBe('Logged');
  });

  test('ends at all replicas', async () => {
    const { one, other } = shared;
    const session = await Session.open(one, '2025-11-25');
    expect(await textOf(await session.call(other, 'pid'))).toBe(`${other.child.pid}`);
    expect((await session.delete(one)).status).toBe(204);
    const unknown = [404, 'Unknown Mcp-Session-Id; send "initialize" to begin a new session'];
    expect(await refusal(await session.call(one, 'pid'))).toEqual(unknown);
    await expect.poll(async () => (await session.send(other, 'ping')).status).toBe(404);
    await using third = await shared.replica();
    expect(await refusal(await session.call(third, 'pid'))).toEqual(unknown);
  });

  test.each(versions)('has the roots of its client at each replica (%s)', async (version) => {
    const { one, other } = shared;
    const session = await Session.open(one, version, 'alice', { roots: { listChanged: true } });
    let roots = ['file:///a'];
    /** Calls the tool at one replica, and answers its question at the other one. */
    const rooted = async (replica: typeof one, elsewhere: typeof one) => {
      const response = await session.call(replica, 'rooted');
      if (response.headers.get('content-type') === 'application/json') return textOf(response);
      const events = new EventReader(response);
      let message = (await events.message())!;
      if (message['method'] === 'roots/list') {
        await session.respond(elsewhere, message['id'], { roots: roots.map((uri) => ({ uri })) });
        message = (await events.message())!;
      }
      return (message as { result: { content: readonly [{ text: string }] } }).result.content[0].text;
    };
    expect(await rooted(one, other)).toBe('file:///a');
    expect(await rooted(other, one)).toBe('file:///a');
    roots = ['file:///b'];
    await session.notify(one, 'notifications/roots/list_changed');
    expect(await rooted(one, other)).toBe('file:///b');
    await expect.poll(() => rooted(other, one)).toBe('file:///b');
  });

  test('asks Redis nothing for requests that are answered at once', async () => {
    const { one, other, redis } = shared;
    const session = await Session.open(one, '2025-11-25', 'carol');
    const ask = async () => {
      for (const replica of [one, other])
        for (let count = 0; count < 10; count++) await textOf(await session.call(replica, 'pid'));
    };
    await ask();
    /** The number of commands so far, without those that check a connection or renew a lease. */
    const commands = async () => {
      const stats = await redis.command('info', 'commandstats');
      const counts = [
        ...stats.matchAll(/^cmdstat_(get|hget|hkeys|publish|xadd|xrange|subscribe):calls=(\d+)/gm),
      ];
      return counts.reduce((sum, [, , count]) => sum + Number(count), 0);
    };
    const before = await commands();
    await ask();
    expect(await commands()).toBe(before);
    await session.call(one, 'count');
    expect(await commands()).toBeGreaterThan(before);
  });

  test('keeps the state of a caller', async () => {
    const { one, other } = shared;
    const [alice, bob] = [
      await Session.open(one, '2025-11-25'),
      await Session.open(other, '2025-11-25', 'bob'),
    ];
    expect(await textOf(await alice.call(one, 'count'))).toBe('1');
    expect(await textOf(await alice.call(other, 'count'))).toBe('2');
    expect(await textOf(await bob.call(one, 'count'))).toBe('1');
  });
});
