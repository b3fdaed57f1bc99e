import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { EventReader } from '../../protocol/test/http/events.ts';
import { describeWithRedis } from './redis-server.ts';
import type { Message, Replica } from './replicas.ts';
import { SharedSessions } from './shared-sessions.ts';
import { ask, post } from './stateless.ts';

describeWithRedis('a task', () => {
  const shared = new SharedSessions();
  const begin = async (replica: Replica, asks = false) => {
    const key = randomUUID();
    const { taskId } = await ask(replica, 'tools/call', { name: 'job', arguments: { key, asks } });
    return { key, taskId };
  };
  const statusAt = async (replica: Replica, taskId: unknown) =>
    (await ask(replica, 'tasks/get', { taskId }))['status'];
  /** The states of tasks that a stream tells. */
  const next = async (events: EventReader) => (await events.message())?.['params'] as Message;

  test('is told by every replica, to its principal', async () => {
    const { one, other, store } = shared;
    const { key, taskId } = await begin(one);
    for (const replica of [one, other]) expect(await statusAt(replica, taskId)).toBe('working');
    expect(await ask(other, 'tasks/get', { taskId }, 'bob')).toMatchObject({ code: -32602 });
    await store.bus.publish(`end ${key}`, '');
    await expect.poll(() => statusAt(other, taskId)).toBe('completed');
    expect(await ask(other, 'tasks/get', { taskId })).toMatchObject({
      result: { content: [{ text: `Done ${one.child.pid}` }] },
    });
  });

  test('is cancelled at any replica', async () => {
    const { one, other } = shared;
    const { key, taskId } = await begin(one);
    await shared.during(`cancelled ${key}`, () => ask(other, 'tasks/cancel', { taskId }));
    for (const replica of [one, other]) await expect.poll(() => statusAt(replica, taskId)).toBe('cancelled');
  });

  test('gets its answers at any replica', async () => {
    const { one, other } = shared;
    const { taskId } = await begin(one, true);
    await expect.poll(() => statusAt(other, taskId)).toBe('input_required');
    const wrong = { taskId, inputResponses: { sure: 7 } };
    expect(await ask(other, 'tasks/update', wrong)).toMatchObject({ code: -32602 });
    const inputResponses = { sure: { action: 'accept', content: { sure: true } } };
    expect(await ask(other, 'tasks/update', { taskId, inputResponses })).toMatchObject({
      resultType: 'complete',
    });
    await expect.poll(() => statusAt(other, taskId)).toBe('completed');
    expect(await ask(one, 'tasks/get', { taskId })).toMatchObject({
      result: { content: [{ text: '{"sure":true}' }] },
    });
  });

  test('is watched at any replica', async () => {
    const { one, other, store } = shared;
    const { key, taskId } = await begin(one);
    const listening = await post(other, 'subscriptions/listen', { notifications: { taskIds: [taskId] } });
    const events = new EventReader(listening);
    expect(await next(events)).toMatchObject({ notifications: { taskIds: [taskId] } });
    expect(await next(events)).toMatchObject({ taskId, status: 'working' });
    await store.bus.publish(`end ${key}`, '');
    expect(await next(events)).toMatchObject({ taskId, status: 'completed' });
    await events.close();
  });

  test('fails with a reason when its replica is killed', async () => {
    await using owner = await shared.replica(300);
    await using heir = await shared.replica(300);
    const { taskId } = await begin(owner);
    const listening = await post(heir, 'subscriptions/listen', { notifications: { taskIds: [taskId] } });
    const events = new EventReader(listening);
    await next(events);
    expect(await next(events)).toMatchObject({ status: 'working' });
    await owner.end();
    const failed = { status: 'failed', statusMessage: 'The process that worked on this task has ended' };
    expect(await next(events)).toMatchObject(failed);
    for (const replica of [heir, shared.one])
      expect(await ask(replica, 'tasks/get', { taskId })).toMatchObject(failed);
    await events.close();
  });

  test('of a replica that comes back after its lease stays as others were told', async () => {
    await using owner = await shared.replica(300);
    await using heir = await shared.replica(300);
    const { key, taskId } = await begin(owner);
    owner.child.kill('SIGSTOP');
    await expect.poll(() => statusAt(heir, taskId)).toBe('failed');
    owner.child.kill('SIGCONT');
    await shared.store.bus.publish(`end ${key}`, '');
    await expect.poll(() => statusAt(owner, taskId)).toBe('failed');
    expect(await statusAt(heir, taskId)).toBe('failed');
  });
});
