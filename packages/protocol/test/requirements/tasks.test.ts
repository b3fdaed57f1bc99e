import { expect } from 'vitest';
import * as z from 'zod';
import { defineTool } from '@mcp/protocol';
import { memoryTaskStore } from '@mcp/protocol/tasks';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { extension, taskServer, supportsTasks, jobTool, openWire, pollUntil } from './task-server.ts';
import { requirement } from './requirement.ts';
import { example, stamped, stateless, Wire } from './wire.ts';
import { hello, missing, unknown } from './task-answers.ts';

requirement('TASK-02', 'the parameter `task` of 2025-11-25 is ignored for every tool', async (version) => {
  const { tool, end } = jobTool();
  end('Done');
  for (const server of [example({ tools: [hello, tool] }), taskServer([hello, tool])]) {
    const wire = await Wire.open(server, version, {
      capabilities: { tasks: { requests: {} }, ...supportsTasks.capabilities },
    });
    expect(await wire.capabilities()).toEqual({ tools: {} });
    for (const { execution } of (await wire.result('tools/list'))['tools'] as JsonObject[]) {
      expect(execution).toBeUndefined();
    }
    for (const name of ['hello', 'job']) {
      const result = await wire.result('tools/call', { name, task: { ttl: 60_000 } });
      expect(result).toEqual({ content: [{ type: 'text', text: name === 'hello' ? 'Hello' : 'Done' }] });
    }
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
      expect(await wire.error(method, { taskId: '1' })).toMatchObject({ code: -32601 });
    }
    await wire.end();
  }
});

requirement('CANC-04', 'tasks/cancel ends a task, and a notification does not', async (version) => {
  const { tool, started, end } = jobTool();
  const wire = await Wire.open(taskServer([tool, hello]), version, supportsTasks);
  const requestId = wire.send('tools/call', { name: 'job', task: {} });
  if (version !== stateless) {
    // Here it is no task but a request.
    const { signal } = await started;
    wire.notify('notifications/cancelled', { requestId, reason: 'Enough' });
    await wire.call('hello');
    expect(signal.reason).toEqual(new Error('Enough'));
    return;
  }
  const { taskId } = (await wire.response(requestId))['result'] as JsonObject;
  const { signal } = await started;
  wire.notify('notifications/cancelled', { requestId });
  wire.notify('notifications/cancelled', { requestId: taskId });
  expect(await wire.result('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  expect(signal.aborted).toBe(false);

  await wire.result('tasks/cancel', { taskId });
  expect(signal.reason).toEqual(new Error('The task has been cancelled'));
  end('Too late');
  expect(await pollUntil(wire, taskId, 'cancelled')).not.toHaveProperty('result');
});

requirement('PROG-09', 'progress keeps its token until the answer, and stops then', async (version) => {
  const { tool, started, end } = jobTool();
  const wire = await Wire.open(taskServer([tool, hello]), version, supportsTasks);
  const id = wire.send('tools/call', { name: 'job', task: { ttl: 60_000 } }, { progressToken: 'p' });
  const call = await started;
  call.progress(1);
  call.progress(2);
  end('Done');
  await wire.response(id);
  call.progress(3);
  await wire.call('hello');
  expect((await wire.end()).map(({ params }) => params)).toEqual([
    { progressToken: 'p', progress: 1 },
    { progressToken: 'p', progress: 2 },
  ]);
});

requirement('TASKX-01', 'tasks are advertised as an extension', async () => {
  const { tool } = jobTool();
  const wire = await openWire(taskServer([tool]));
  expect(await wire.capabilities()).toEqual({ tools: {}, extensions: { [extension]: {} } });
  const without = await openWire(example({ tools: [tool] }));
  expect(await without.capabilities()).toEqual({ tools: {} });
  expect(await without.error('tasks/get', { taskId: '1' })).toMatchObject({ code: -32601 });
});

requirement('TASKX-02', 'only a request that declares the extension gets a task', async () => {
  const { tool, end } = jobTool();
  end('Done');
  const wire = await openWire(taskServer([tool]), {});
  const done = stamped(stateless, { content: [{ type: 'text', text: 'Done' }] });
  expect(await wire.call('job')).toEqual(done);
  const declared = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [extension]: {} } } };
  expect(await wire.call('job', {}, declared)).toMatchObject({ resultType: 'task' });
  // Neither an earlier declaration nor a similar member counts.
  for (const capabilities of [
    {},
    { tasks: {} },
    { extensions: [] },
    { extensions: { [extension]: true } },
    { extensions: { 'io.modelcontextprotocol/ui': {} } },
    { experimental: { [extension]: {} } },
  ]) {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    expect(await wire.call('job', {}, meta)).toEqual(done);
  }
  // Without a store there is nothing to declare it for.
  const without = await openWire(example({ tools: [tool] }));
  expect(await without.call('job')).toEqual(done);
});

requirement(
  'TASKX-03',
  'a tool that requires tasks refuses a client without them before it checks the arguments',
  async () => {
    let ran = false;
    const tool = defineTool({
      name: 'job',
      description: 'Needs tasks.',
      inputSchema: z.object({ path: z.string() }),
      task: 'required',
      run() {
        ran = true;
        return 'Done';
      },
    });
    const wire = await openWire(taskServer([tool]), {});
    expect(await wire.error('tools/call', { name: 'job' })).toEqual(missing('tool "job"'));
    expect(await wire.error('tools/call', { name: 'job', arguments: { path: '.' } })).toEqual(
      missing('tool "job"'),
    );
    expect(ran).toBe(false);
  },
);

requirement('TASKX-05', 'a task is stored before its id is sent', async () => {
  const inner = memoryTaskStore();
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const { promise: writing, resolve: begin } = Promise.withResolvers<void>();
  const store = {
    ...inner,
    async set(key: string, text: string) {
      if (!key.startsWith('worker.')) {
        begin();
        await written;
      }
      await inner.set(key, text);
    },
  };
  const { tool } = jobTool();
  const wire = await openWire(taskServer([tool, hello], { store }));
  const id = wire.send('tools/call', { name: 'job' });
  await writing;
  await wire.call('hello');
  expect(wire.raw.received.filter((message) => message['id'] === id)).toEqual([]);
  write();
  const { taskId } = (await wire.response(id))['result'] as { taskId: string };
  expect(await inner.get(taskId)).toContain(taskId);
  expect(await wire.result('tasks/get', { taskId })).toMatchObject({ status: 'working' });
});

requirement(
  'TASKX-08',
  'answers and cancellations are acknowledged, and unknown tasks are refused',
  async () => {
    const { tool, started } = jobTool();
    const wire = await openWire(taskServer([tool]));
    const { taskId } = await wire.call('job');
    await started;
    const inputResponses = { never: { ignored: true } };
    expect(await wire.result('tasks/update', { taskId, inputResponses })).toEqual(stamped(stateless, {}));
    for (const time of ['while it runs', 'when it is over']) {
      expect(await wire.result('tasks/cancel', { taskId }), time).toEqual(stamped(stateless, {}));
      expect(await wire.result('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
    }
    expect(await wire.error('tasks/cancel', { taskId: 'unknown' })).toEqual(unknown);
    expect(await wire.error('tasks/update', { taskId: 'unknown', inputResponses })).toEqual(unknown);
    expect(await wire.error('tasks/update', { taskId })).toMatchObject({ code: -32602 });
  },
);

requirement('TASKX-12', 'the tasks of 2025-11-25 have no effect in 2026-07-28', async () => {
  const { tool } = jobTool();
  const wire = await openWire(taskServer([hello, tool]));
  const { taskId } = await wire.call('job');
  expect(await wire.error('tasks/result', { taskId })).toMatchObject({ code: -32601 });
  expect(await wire.error('tasks/list')).toMatchObject({ code: -32601 });
  for (const task of [{ ttl: 60_000, pollInterval: 100 }, 'yes', null]) {
    expect(await wire.result('tools/call', { name: 'hello', task })).toMatchObject({
      resultType: 'complete',
    });
  }
  const { ttlMs } = await wire.result('tools/call', { name: 'job', task: { ttl: 1 } });
  expect(ttlMs).toBe(3_600_000);
});

requirement(
  ['TASKX-14', 'TASKX-06'],
  'a listener gets the status of a task and its changes, and nothing else',
  async () => {
    const { tool, started, end } = jobTool();
    const wire = await openWire(taskServer([tool]));
    const { taskId } = await wire.call('job', {}, { progressToken: 1 });
    const call = await started;
    const id = wire.send('subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown'] } });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    expect(await wire.nextFromServer()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications: { taskIds: [taskId] } },
    });
    const nextStatus = async () => {
      const { method, params } = await wire.nextFromServer();
      expect(method).toBe('notifications/tasks');
      const { _meta: meta, ...task } = params as JsonObject;
      expect(meta).toEqual(_meta);
      return task;
    };
    const now = async () => {
      const { resultType: _, _meta: __, ...task } = await wire.result('tasks/get', { taskId });
      return task;
    };
    expect(await nextStatus()).toEqual(await now());
    call.log('emergency', 'No client gets this');
    call.progress(1, 2);
    const working = await nextStatus();
    expect(working).toEqual(await now());
    expect(working).toMatchObject({ status: 'working', statusMessage: '1 of 2' });
    call.progress(2, 2, 'Nearly there');
    expect(await nextStatus()).toMatchObject({ statusMessage: 'Nearly there' });
    end('Done');
    const over = await nextStatus();
    expect(over).toEqual(await now());
    expect(over).toMatchObject({ status: 'completed', result: { content: [{ text: 'Done' }] } });
    call.progress(3, 3, 'Too late');
    // A late listener gets the final status.
    wire.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await wire.nextFromServer();
    expect((await wire.nextFromServer())['params']).toMatchObject({ status: 'completed' });
    const methods = (await wire.end()).map(({ method }) => method);
    expect(methods).not.toContain('notifications/progress');
    expect(methods).not.toContain('notifications/message');
  },
);
