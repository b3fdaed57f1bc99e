import { expect, test } from 'vitest';
import { connectTo, newest, paramsOf, ScriptedPeer, text } from './scripted-peer.ts';

const task = (rest: object) => ({
  result: { taskId: 't1', createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 20, ...rest },
});

test('a task is polled to its end, and its inputs are sent once', async () => {
  const states = [
    { status: 'working' },
    { status: 'input_required', inputRequests: { r: { method: 'roots/list' } } },
    { status: 'input_required', inputRequests: { r: { method: 'roots/list' } } },
    { status: 'completed', result: text('done') },
  ];
  const peer = new ScriptedPeer(newest, {
    'tools/call': () => task({ resultType: 'task', status: 'working' }),
    'tasks/get': () => task(states.shift()!),
    'tasks/update': () => ({ result: {} }),
  });
  await using client = await connectTo(peer, newest, { roots: () => Promise.resolve([]) });
  const ids: string[] = [];
  expect(await client.callTool('any', {}, { onTask: (id) => ids.push(id) })).toEqual(text('done'));
  expect(ids).toEqual(['t1']);
  expect(peer.of('tasks/update').map(paramsOf)).toMatchObject([
    { taskId: 't1', inputResponses: { r: { roots: [] } } },
  ]);
});

test.each([
  [
    { status: 'failed', error: { code: -32000, message: 'Broken' } },
    { code: -32000, message: expect.stringContaining('Broken') },
  ],
  [
    { status: 'cancelled', statusMessage: 'by an operator' },
    { message: expect.stringContaining('by an operator') },
  ],
  [{ status: 'completed' }, { message: expect.stringContaining('must have a "result"') }],
  [{ status: 'lost' }, { message: expect.stringContaining('"status" must be one of') }],
])('a task that ends as %j is an error of its call', async (state, error) => {
  const peer = new ScriptedPeer(newest, {
    'tools/call': () => task({ resultType: 'task', status: 'working' }),
    'tasks/get': () => task(state),
  });
  await using client = await connectTo(peer, newest);
  await expect(client.callTool('any')).rejects.toMatchObject({ phase: 'call', ...error });
});

test('aborting a call cancels its task', async () => {
  const peer = new ScriptedPeer(newest, {
    'tools/call': () => task({ resultType: 'task', status: 'working' }),
    'tasks/get': () => task({ status: 'working' }),
    'tasks/cancel': () => ({ result: {} }),
  });
  await using client = await connectTo(peer, newest);
  const stop = new AbortController();
  const call = client.callTool('any', {}, { signal: stop.signal });
  await peer.awaited(({ method }) => method === 'tasks/get');
  stop.abort(new Error('Enough'));
  await expect(call).rejects.toThrow('Enough');
  expect(peer.of('tasks/cancel').map(paramsOf)).toMatchObject([{ taskId: 't1' }]);
});

test('a notification of a change ends the wait before the next poll of a task', async () => {
  const states = [{ status: 'working' }, { status: 'completed', result: text('done') }];
  const peer = new ScriptedPeer(newest, {
    'tools/call': () => task({ resultType: 'task', status: 'working' }),
    'tasks/get': () => task({ ...states.shift(), pollIntervalMs: 60_000 }),
    'subscriptions/listen': ({ id, params }) => {
      const { notifications } = params as { notifications: object };
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      peer.send({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
      peer.send({ method: 'notifications/tasks', params: { _meta, taskId: 't1', status: 'completed' } });
      return undefined;
    },
  });
  await using client = await connectTo(peer, newest);
  expect(await client.callTool('any')).toEqual(text('done'));
  expect(paramsOf(peer.of('subscriptions/listen')[0])).toMatchObject({ notifications: { taskIds: ['t1'] } });
  const [{ id } = {}] = peer.of('subscriptions/listen');
  expect(peer.of('notifications/cancelled').map(paramsOf)).toEqual([{ requestId: id }]);
});

test('a task can be read, continued, cancelled and awaited by its id', async () => {
  const peer = new ScriptedPeer(newest, {
    'tasks/get': () => task({ status: 'completed', result: text('done') }),
    'tasks/update': () => ({ result: {} }),
    'tasks/cancel': () => ({ result: {} }),
  });
  await using client = await connectTo(peer, newest);
  expect(await client.tasks.get('t1')).toMatchObject({ taskId: 't1', status: 'completed' });
  await client.tasks.update('t1', { r: { roots: [] } });
  await client.tasks.cancel('t1');
  expect(await client.tasks.result('t1')).toEqual(text('done'));
  expect(paramsOf(peer.of('tasks/update')[0])).toMatchObject({
    taskId: 't1',
    inputResponses: { r: { roots: [] } },
  });
  expect(paramsOf(peer.of('tasks/cancel')[0])).toMatchObject({ taskId: 't1' });
});
