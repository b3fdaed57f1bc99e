import { expect, test } from 'vitest';
import { EventReader } from '../../protocol/test/http/events.ts';
import { describeWithRedis } from './redis-server.ts';
import { type Replica, Session, textOf } from './replicas.ts';
import { SharedSessions, stepIn, stepOf } from './shared-sessions.ts';
import { post } from './stateless.ts';

const uri = 'news:///today';

describeWithRedis('replicas whose Redis', () => {
  const shared = new SharedSessions();
  const count = async (session: Session, replica: Replica, to: number) =>
    new EventReader(await session.call(replica, 'count_up', { to }, { progressToken: 1 }));
  const stepsIn = async (events: EventReader) => (await events.rest()).filter(({ data }) => data).map(stepOf);
  const upTo = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  /** What needs no store is answered, and what needs it is refused, for now. */
  async function worksWithout(session: Session, isFull = false): Promise<void> {
    const { one, other } = shared;
    for (const replica of [one, other])
      expect(await textOf(await session.call(replica, 'pid'))).toBe(`${replica.child.pid}`);
    const begun = await Session.open(one, '2025-11-25');
    // This replica has not seen the session.
    expect(await textOf(await begun.call(other, 'pid'))).toBe(`${other.child.pid}`);
    const refused = [
      await session.send(one, 'resources/subscribe', { uri }),
      await session.send(one, 'logging/setLevel', { level: 'error' }),
      // A full store can tell that no question has this id.
      ...(isFull ? [] : [await session.respond(other, '00000000-0000-0000-0000-000000000000-1', {})]),
      await session.delete(one),
      await post(one, 'tools/call', { name: 'job', arguments: { key: 'x', asks: false } }),
    ];
    for (const response of refused) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toContain('cannot be used now; try again later');
    }
    expect((await stepsIn(await count(session, one, 3))).map(({ step }) => step)).toEqual([1, 2, 3, 'Done']);
  }

  /** A stream that was open while the store failed has each message once, in order, at the other replica. */
  async function continues(session: Session, first: { id: string }, read: EventReader, to: number) {
    const expected = [...upTo(2, to), 'Done'];
    expect((await stepsIn(read)).map(({ step }) => step)).toEqual(expected);
    const resumed = async () => {
      const response = await session.get(shared.other, first.id);
      return response.status === 200
        ? (await stepsIn(new EventReader(response))).map(({ step }) => step)
        : response.status;
    };
    await expect.poll(resumed).toEqual(expected);
  }

  /** All of it works again, without a restart of a replica. */
  async function worksAgain(session: Session): Promise<void> {
    const subscribe = async () => (await session.send(shared.one, 'resources/subscribe', { uri })).status;
    await expect.poll(subscribe).toBe(200);
    const events = new EventReader(await session.get(shared.other));
    expect(await events.message()).toMatchObject({ params: { uri } });
    await events.close();
  }

  test('is killed and started again', async () => {
    const { one, redis } = shared;
    const session = await Session.open(one, '2025-11-25');
    const events = await count(session, one, 60);
    const first = await stepIn(events);
    await redis.kill();
    await worksWithout(session);
    await redis.start();
    await continues(session, first, events, 60);
    await worksAgain(session);
  });

  test('answers nothing for a while', async () => {
    const { one, redis } = shared;
    const session = await Session.open(one, '2025-11-25');
    const events = await count(session, one, 100);
    const first = await stepIn(events);
    redis.pause(true);
    await worksWithout(session);
    redis.pause(false);
    await continues(session, first, events, 100);
    await worksAgain(session);
  });

  test('is full', async () => {
    const { one, redis } = shared;
    const session = await Session.open(one, '2025-11-25');
    const events = await count(session, one, 60);
    const first = await stepIn(events);
    // Less than it has already: it refuses what needs room, and deletes nothing.
    await redis.command('config', 'set', 'maxmemory', '1mb');
    await worksWithout(session, true);
    await redis.command('config', 'set', 'maxmemory', '0');
    await continues(session, first, events, 60);
    await worksAgain(session);
  });
});
