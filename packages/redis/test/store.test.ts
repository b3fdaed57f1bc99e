import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { connectRedis } from '@mcp/redis';
import { describeWithRedis, redisForFile, RedisServer } from './redis-server.ts';

const ttlMs = 60_000;

describeWithRedis('the store in Redis', () => {
  const redis = redisForFile();
  /** Two processes' worth of connections, with keys of their own. */
  const pair = async () => {
    const { url } = await redis();
    const prefix = `${randomUUID()}:`;
    const [one, other] = await Promise.all([connectRedis(url, { prefix }), connectRedis(url, { prefix })]);
    return {
      one,
      other,
      [Symbol.asyncDispose]: async () => void (await Promise.all([one.close(), other.close()])),
    };
  };

  test('an address at which nothing answers is an error', async () => {
    await expect(connectRedis('redis://127.0.0.1:1', { timeoutMs: 200 })).rejects.toThrow(
      'Cannot connect to Redis: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  test('a state is shared, and loses no concurrent change', async () => {
    await using stores = await pair();
    const { one, other } = stores;
    await one.state.set('greeting', { text: 'Hello' });
    expect(await other.state.get('greeting')).toEqual({ text: 'Hello' });
    const sums = [one, other, one, other].map(({ state }) => state.increment('calls'));
    expect(new Set(await Promise.all(sums))).toEqual(new Set([1, 2, 3, 4]));
    await other.state.delete('greeting');
    expect(await one.state.get('greeting')).toBeUndefined();
    await expect(one.state.set('', 1)).rejects.toThrow('Invalid key of a state: 0 characters');
    await one.state.set('short', 1, { ttlMs: 20 });
    await expect.poll(() => other.state.get('short')).toBeUndefined();
  });

  test('a stream gives each text a place, and ends', async () => {
    await using stores = await pair();
    const { one, other } = stores;
    expect(await other.streams.after('s', 0)).toBeUndefined();
    expect(await one.streams.append('s', ['x'], { ttlMs, existing: true })).toBe(false);
    expect(await one.streams.append('s', ['a', 'b'], { ttlMs, at: 1 })).toBe(true);
    // The same texts again, and one more: a process that was not told of its success.
    expect(await one.streams.append('s', ['a', 'b', 'c'], { ttlMs, at: 1 })).toBe(true);
    expect(await other.streams.append('s', ['d'], { ttlMs, last: true })).toBe(true);
    const all = ['a', 'b', 'c', 'd'].map((text, index) => ({ place: index + 1, text, last: index === 3 }));
    expect(await other.streams.after('s', 0)).toEqual(all);
    expect(await other.streams.after('s', 2)).toEqual(all.slice(2));
    expect(await other.streams.after('s', 4)).toEqual([]);
    expect(await one.streams.append('s', ['late'], { ttlMs, at: 4 })).toBe(true);
    expect(await one.streams.append('s', ['late'], { ttlMs, at: 5 })).toBe(false);
    await one.streams.trim('s', [2, 3]);
    expect(await other.streams.after('s', 0)).toEqual([all[0], all[3]]);
    await one.streams.append('short', ['a'], { ttlMs: 20 });
    await expect.poll(() => other.streams.after('short', 0)).toBeUndefined();
  });

  test('one of two processes ends a stream at a place', async () => {
    await using stores = await pair();
    const appended = [stores.one, stores.other].map(({ streams }, index) =>
      streams.append('s', [`end ${index}`], { ttlMs, last: true }),
    );
    expect(new Set(await Promise.all(appended))).toEqual(new Set([false, true]));
    expect(await stores.one.streams.after('s', 0)).toHaveLength(1);
  });

  test('a follower hears of each text, until it ends', async () => {
    await using stores = await pair();
    const changed = vi.fn<() => void>();
    const stop = await stores.other.streams.follow('s', changed);
    await stores.one.streams.append('s', ['a'], { ttlMs });
    await expect.poll(() => changed.mock.calls.length).toBe(1);
    await stop();
    const again = vi.fn<() => void>();
    await stores.other.streams.follow('s', again);
    await stores.one.streams.append('s', ['b'], { ttlMs });
    await expect.poll(() => again.mock.calls.length).toBe(1);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  test('a message reaches each subscriber of its channel', async () => {
    await using stores = await pair();
    const heard: string[] = [];
    const none = () => {};
    await stores.one.bus.subscribe('news', (message) => heard.push(`one ${message}`), none);
    await stores.other.bus.subscribe('news', (message) => heard.push(`other ${message}`), none);
    await stores.other.bus.subscribe('else', (message) => heard.push(`else ${message}`), none);
    await stores.one.bus.publish('news', 'today');
    await expect.poll(() => heard.toSorted()).toEqual(['one today', 'other today']);
  });

  test('a lease has one holder, whose token is higher than all before', async () => {
    await using stores = await pair();
    const { one, other } = stores;
    const first = (await one.leases.hold('job', ttlMs))!;
    expect(await other.leases.hold('job', ttlMs)).toBeUndefined();
    expect(await other.leases.isHeld('job')).toBe(true);
    expect(await one.leases.hold('job', 20, first)).toBe(first);
    await expect.poll(() => other.leases.isHeld('job')).toBe(false);
    const second = (await other.leases.hold('job', ttlMs))!;
    expect(second).toBeGreaterThan(first);
    expect(await one.leases.hold('job', ttlMs, first)).toBeUndefined();
    await one.leases.release('job', first);
    expect(await one.leases.isHeld('job')).toBe(true);
    await other.leases.release('job', second);
    expect(await one.leases.isHeld('job')).toBe(false);
  });

  test('a table lists its keys', async () => {
    await using stores = await pair();
    const [one, other] = [stores.one.table('t', ttlMs), stores.other.table('t', ttlMs)];
    await one.set('a', '1');
    await other.set('b', '2');
    expect(await one.get('b')).toBe('2');
    expect(await one.replace('b', '1', '3')).toBe(false);
    expect(await one.replace('b', '2', '3')).toBe(true);
    expect(await other.get('b')).toBe('3');
    expect(await one.replace('none', '', '3')).toBe(false);
    expect((await one.keys()).toSorted()).toEqual(['a', 'b']);
    await other.delete('a');
    expect(await one.keys()).toEqual(['b']);
    expect(await one.get('a')).toBeUndefined();
    expect(await stores.one.table('u', ttlMs).keys()).toEqual([]);
  });

  test('a process has two connections, whatever it does', async () => {
    await using server = await RedisServer.start();
    await using store = await connectRedis(server.url);
    for (let index = 0; index < 20; index++) {
      await store.streams.follow(`s${index}`, () => {});
      await store.bus.subscribe(
        `c${index}`,
        () => {},
        () => {},
      );
      await store.state.increment('n');
    }
    // One of them is that of this command.
    expect((await server.command('client', 'list')).split('\n')).toHaveLength(3);
  });
});

describeWithRedis('a Redis that fails', () => {
  const gone = { name: 'StoreUnavailable', message: expect.stringMatching(/^Redis cannot be used now: /) };

  test('is refused at once while it is gone, comes back by itself, and says that messages were lost', async () => {
    await using server = await RedisServer.start();
    await using store = await connectRedis(server.url);
    await store.state.set('kept', 1);
    const heard = vi.fn<(message: string) => void>();
    const lost = vi.fn<() => void>();
    await store.bus.subscribe('news', heard, lost);
    await server.kill();
    await expect(store.state.get('kept')).rejects.toMatchObject(gone);
    await expect(store.bus.publish('news', 'a')).rejects.toMatchObject(gone);
    await server.start();
    await expect.poll(() => store.state.get('kept').catch(() => 'gone')).toBe(1);
    await expect.poll(() => lost.mock.calls.length).toBe(1);
    await store.bus.publish('news', 'b');
    await expect.poll(() => heard.mock.calls).toEqual([['b']]);
  });

  test('is refused while it answers nothing', async () => {
    await using server = await RedisServer.start();
    await using store = await connectRedis(server.url, { timeoutMs: 500 });
    await store.state.set('kept', 1);
    server.pause(true);
    await expect(store.state.get('kept')).rejects.toThrow(
      'Redis cannot be used now: no answer within 500 ms',
    );
    server.pause(false);
    await expect.poll(() => store.state.get('kept').catch(() => 'gone')).toBe(1);
  });

  test('is refused while it is full, and deletes nothing for room', async () => {
    await using server = await RedisServer.start('--maxmemory', '4mb', '--maxmemory-policy', 'noeviction');
    await using store = await connectRedis(server.url);
    const filled = (async () => {
      for (let index = 0; index < 100; index++)
        await store.streams.append(`s${index}`, ['x'.repeat(200_000)], { ttlMs });
    })();
    await expect(filled).rejects.toThrow(/^Redis cannot be used now: OOM /);
    expect(await store.streams.after('s0', 0)).toHaveLength(1);
  });
});
