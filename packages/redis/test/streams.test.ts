import { expect, test } from 'vitest';
import { EventReader } from '../../protocol/test/http/events.ts';
import { describeWithRedis } from './redis-server.ts';
import { refusal, Session, textOf } from './replicas.ts';
import { SharedSessions, stepIn, stepOf } from './shared-sessions.ts';

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];

describeWithRedis('a stream of a request', () => {
  const shared = new SharedSessions();
  const stepsAfter = async (events: EventReader) =>
    (await events.rest()).filter(({ data }) => data).map(stepOf);

  test.each(versions)('is resumed at any replica, each message once and in order (%s)', async (version) => {
    const { one, other } = shared;
    const session = await Session.open(one, version);
    const call = await shared.steps(session, one);
    const first = await stepIn(call.events);
    expect(first.step).toBe(1);
    await call.events.close();
    await shared.step(call, 2);
    await shared.step(call, 3);
    const resumed = new EventReader(await session.get(other, first.id));
    const missed = [await stepIn(resumed), await stepIn(resumed)];
    await shared.step(call, 4);
    missed.push(await stepIn(resumed));
    await resumed.close();
    await shared.finish(call);
    // The second connection is lost too, and the third is at the process that answers.
    const last = await stepsAfter(new EventReader(await session.get(one, missed[2]!.id)));
    const done = `Done ${one.child.pid}`;
    expect([...missed, ...last].map(({ step }) => step)).toEqual([2, 3, 4, done]);
    // It can be read again from each place, with the same ids, at both.
    for (const replica of [one, other]) {
      const again = await stepsAfter(new EventReader(await session.get(replica, first.id)));
      expect(again).toEqual([...missed, ...last]);
    }
    expect(await stepsAfter(new EventReader(await session.get(other, last[0]!.id)))).toEqual([]);
  });

  test('is resumed from its first event, which has no message', async () => {
    const { one, other } = shared;
    const session = await Session.open(one, '2025-11-25');
    const call = await shared.steps(session, one);
    const { id, data } = (await call.events.next())!;
    expect(data).toBe('');
    await call.events.close();
    await shared.finish(call);
    const steps = await stepsAfter(new EventReader(await session.get(other, id!)));
    expect(steps.map(({ step }) => step)).toEqual([1, `Done ${one.child.pid}`]);
  });

  test('is of its session alone', async () => {
    const { one, other } = shared;
    const session = await Session.open(one, '2025-11-25');
    const call = await shared.steps(session, one);
    const { id } = (await call.events.next())!;
    const stranger = await Session.open(one, '2025-11-25');
    for (const replica of [one, other]) expect((await stranger.get(replica, id!)).status).toBe(400);
    expect(await refusal(await session.get(other, id!.replace(/\d+-(\d+)$/, '99-$1')))).toEqual([
      400,
      expect.stringMatching(
        /^Unknown Last-Event-ID: ".*"; what follows it is not stored; send the request again$/,
      ),
    ]);
    await shared.finish(call);
    await call.events.rest();
  });

  test('fails when its process is killed, so that the client can send the request again', async () => {
    await using owner = await shared.replica(300);
    await using heir = await shared.replica(300);
    const session = await Session.open(owner, '2025-11-25');
    const call = await shared.steps(session, owner);
    const { id } = await stepIn(call.events);
    await shared.step(call, 2);
    await stepIn(call.events);
    await owner.end();
    const steps = await stepsAfter(new EventReader(await session.get(heir, id)));
    expect(steps.map(({ step }) => step)).toEqual([
      2,
      'The process that answered this request has ended; send the request again',
    ]);
    // Two replicas that notice it tell the same.
    expect(await stepsAfter(new EventReader(await session.get(heir, id)))).toEqual(steps);
    expect(await textOf(await session.call(heir, 'pid'))).toBe(`${heir.child.pid}`);
  });

  test('fails at once when its process ends in order, while others go on', async () => {
    await using owner = await shared.replica();
    const session = await Session.open(owner, '2025-11-25');
    const call = await shared.steps(session, owner);
    const { id } = (await call.events.next())!;
    const ended = owner.end('SIGTERM');
    const steps = await stepsAfter(new EventReader(await session.get(shared.other, id!)));
    expect(steps.map(({ step }) => step)).toEqual([
      1,
      'The process that answered this request has ended; send the request again',
    ]);
    await ended;
  });

  test.each([
    { takes: 'its answer', isAnswered: true },
    { takes: 'an error', isAnswered: false },
  ])('of a call that asks gets $takes while its process ends in order', async ({ isAnswered }) => {
    await using owner = await shared.replica(10_000, isAnswered ? 60_000 : 100);
    const session = await Session.open(owner, '2025-11-25');
    const events = new EventReader(await session.call(owner, 'confirm'));
    const question = (await events.message())!;
    const ended = owner.end('SIGTERM');
    if (isAnswered) await session.respond(shared.other, question['id'], { action: 'accept', content: {} });
    const failure = 'The process that answered this request has ended; send the request again';
    expect((await stepsAfter(events)).at(-1)?.step).toBe(isAnswered ? 'Sure' : failure);
    await ended;
  });

  test('keeps what fits, and says when a message is missing', async () => {
    const { one, other } = shared;
    const session = await Session.open(one, '2025-11-25');
    const call = await shared.steps(session, one);
    const first = await stepIn(call.events);
    // From step 6 on, each has 100,000 characters; a replica keeps a million.
    for (let step = 2; step <= 15; step++) {
      await shared.step(call, step);
      await stepIn(call.events);
    }
    await shared.finish(call);
    const last = (await stepsAfter(call.events)).at(-1)!;
    expect((await session.get(other, first.id)).status).toBe(400);
    const name = first.id.replace(/\d+$/, '');
    const steps = await stepsAfter(new EventReader(await session.get(other, `${name}10`)));
    expect(steps.map(({ step }) => step)).toEqual([10, 11, 12, 13, 14, 15, last.step]);
  });
});

describeWithRedis('an answer or a cancellation', () => {
  const shared = new SharedSessions();

  test.each(['2025-06-18', '2025-11-25'])('reaches the handler at another replica (%s)', async (version) => {
    const { one, other } = shared;
    const session = await Session.open(one, version);
    const response = await session.call(one, 'confirm');
    const events = new EventReader(response);
    const question = (await events.message())!;
    const stranger = await Session.open(other, version);
    const unknown = [400, 'No request of the server waits for this response; it has ended'];
    const yes = { action: 'accept', content: {} };
    expect(await refusal(await stranger.respond(other, question['id'], yes))).toEqual(unknown);
    expect(await refusal(await session.respond(other, 7, yes))).toEqual(unknown);
    expect((await session.respond(other, question['id'], yes)).status).toBe(202);
    expect(await events.message()).toMatchObject({ result: { content: [{ text: 'Sure' }] } });
  });

  test('of several calls reach each their own', async () => {
    const { one, other } = shared;
    const session = await Session.open(one, '2025-11-25');
    const replicas = [one, other, one, other];
    const calls = await Promise.all(replicas.map((replica) => session.call(replica, 'confirm')));
    const streams = calls.map((call) => new EventReader(call));
    for (const [index, events] of streams.entries()) {
      const { id } = (await events.message())!;
      const action = index < 2 ? 'accept' : 'decline';
      const status = await session.respond(replicas[(index + 1) % 4]!, id, { action, content: {} });
      expect(status.status).toBe(202);
    }
    const results = await Promise.all(streams.map((events) => events.message()));
    expect(results).toMatchObject(
      ['Sure', 'Sure', 'Not sure', 'Not sure'].map((text) => ({ result: { content: [{ text }] } })),
    );
  });

  test('of a request stops it at another replica', async () => {
    const { one, other } = shared;
    const session = await Session.open(one, '2025-11-25');
    const call = await shared.steps(session, one);
    await shared.during(`cancelled ${call.key}`, () =>
      session.notify(other, 'notifications/cancelled', { requestId: session.lastId }),
    );
    expect((await call.events.rest()).filter(({ data }) => data).map(stepOf)).toMatchObject([{ step: 1 }]);
  });
});
