import { expect, test } from 'vitest';
import * as z from 'zod';
import { type Call, definePrompt, defineTool, elicit, inputRequired, toolResult } from '@mcp/protocol';
import { memoryTaskStore, type TaskStore } from '@mcp/protocol/tasks';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import {
  extension,
  taskServer,
  supportsTasks,
  jobTool,
  openWire,
  pollUntil,
} from '../requirements/task-server.ts';
import { example } from '../requirements/wire.ts';

/** A tool called "job" whose task does this. */
function job(run: (call: Call) => unknown, task: 'optional' | 'required' = 'required') {
  return defineTool({
    name: 'job',
    description: 'A job.',
    task,
    run: (_, call) => run(call) as Promise<string>,
  });
}

/** A memory store with promises of its deletions. */
function telling(): TaskStore & { deleted(key: string): Promise<void>; emptied(): Promise<void> } {
  const store = memoryTaskStore();
  const waiting = new Set<() => void>();
  const eventually = async (reached: () => Promise<boolean>) => {
    for (;;) {
      // Registered before the check, so that no deletion is missed.
      const deletion = new Promise<void>((resolve) => waiting.add(resolve));
      if (await reached()) return;
      await deletion;
    }
  };
  return {
    ...store,
    async delete(key) {
      await store.delete(key);
      for (const resolve of waiting) resolve();
    },
    deleted: (key) => eventually(async () => (await store.get(key)) === undefined),
    emptied: () => eventually(async () => (await store.keys()).length === 0),
  };
}

test('a tool that requires tasks is refused on a server without tasks', async () => {
  const { tool } = jobTool('required');
  const message = 'The tool "job" requires tasks: give the server `tasks: createTasks()`';
  expect(() => example({ tools: [tool] })).toThrow(message);
  const wire = await openWire(example({ tools: async () => [tool] }));
  expect(await wire.error('tools/call', { name: 'job' })).toEqual({
    code: -32603,
    message: 'The tool "job" requires tasks: give the server `tasks: createTasks()`',
  });
});

test('only a tool with `task` can continue as a task', async () => {
  const tool = defineTool({
    name: 'job',
    description: 'Does not say `task`.',
    run: async (_, { asTask }) => asTask(),
  });
  const prompt = definePrompt({
    name: 'prompt',
    description: 'Is no tool.',
    run: async (_, { asTask }) => {
      await asTask();
      return 'Never';
    },
  });
  const message = '`asTask` is only for a tool whose definition has `task`';
  const wire = await openWire(taskServer([tool]));
  expect(await wire.call('job')).toMatchObject({ isError: true, content: [{ text: message }] });
  const other = await openWire(example({ prompts: [prompt] }));
  expect(await other.error('prompts/get', { name: 'prompt' })).toMatchObject({ message });
});

test('a call that returns before asTask creates no task', async () => {
  const wire = await openWire(taskServer([job(() => 'Quick')]));
  expect(await wire.call('job')).toMatchObject({ resultType: 'complete', content: [{ text: 'Quick' }] });
});

test('a call with invalid arguments creates no task', async () => {
  const tool = defineTool({
    name: 'job',
    description: 'Has arguments.',
    inputSchema: z.object({ path: z.string() }),
    task: 'required',
    run: () => 'Never',
  });
  const wire = await openWire(taskServer([tool]));
  expect(await wire.call('job')).toMatchObject({ resultType: 'complete', isError: true });
});

test('two calls of asTask create one task, which has the second message', async () => {
  const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
  const wire = await openWire(
    taskServer([
      job(async ({ asTask }) => {
        await Promise.all([asTask('One'), asTask('Two')]);
        await more;
        await asTask('Three');
        await new Promise(() => {});
      }),
    ]),
  );
  const { taskId, statusMessage } = await wire.call('job');
  expect(statusMessage).toBe('One');
  goOn();
  while ((await wire.result('tasks/get', { taskId }))['statusMessage'] !== 'Three');
});

test('a handler that does not await asTask still gets a task', async () => {
  const wire = await openWire(
    taskServer([
      job(({ asTask }) => {
        void asTask();
        return 'Done';
      }),
    ]),
  );
  const created = await wire.call('job');
  expect(created).toMatchObject({ resultType: 'task', status: 'working' });
  await pollUntil(wire, created['taskId'], 'completed');
});

test('progress goes to the request before the task exists, and into the status message afterwards', async () => {
  const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
  const wire = await openWire(
    taskServer([
      job(async ({ progress, asTask }) => {
        progress(1);
        await asTask();
        progress(2);
        progress(Number.NaN);
        await more;
        return 'Done';
      }),
    ]),
  );
  const { taskId } = await wire.call('job', {}, { progressToken: 'p' });
  expect(await pollUntil(wire, taskId, 'working')).toMatchObject({ statusMessage: '2' });
  goOn();
  expect(await pollUntil(wire, taskId, 'completed')).not.toHaveProperty('statusMessage');
  expect((await wire.end()).map(({ params }) => params)).toEqual([{ progressToken: 'p', progress: 1 }]);
});

test('in a full store, tools with optional tasks run without one, and others are refused', async () => {
  const { tool, end } = jobTool();
  const requiringTasks = defineTool({
    name: 'needy',
    description: 'Needs a task.',
    task: 'required',
    async run(_, { asTask }) {
      await asTask();
    },
  });
  const store = telling();
  const wire = await openWire(taskServer([tool, requiringTasks], { store, maxTasks: 2, ttlMs: 500 }));
  for (const id of [1, 2].map(() => wire.send('tools/call', { name: 'job' }))) {
    expect(await wire.response(id)).toMatchObject({ result: { resultType: 'task' } });
  }
  const third = wire.send('tools/call', { name: 'job' });
  expect(await wire.error('tools/call', { name: 'needy' })).toEqual({
    code: -32603,
    message: 'The server runs 2 tasks already; try again later',
  });
  end('Waited for');
  expect((await wire.response(third))['result']).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'Waited for' }],
  });
  // Expired tasks do not count.
  await store.emptied();
  expect(await wire.call('job')).toMatchObject({ resultType: 'task' });
});

test('a task that expires is stopped and deleted', async () => {
  const { tool, started, end } = jobTool();
  const store = telling();
  const wire = await openWire(taskServer([tool], { store, ttlMs: 100 }));
  const { taskId } = await wire.call('job');
  const { signal } = await started;
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason).toEqual(new Error('The task has expired'));
  expect(await wire.error('tasks/get', { taskId })).toMatchObject({ code: -32602 });
  await store.emptied();
  end('Too late');
  expect(await wire.error('tasks/get', { taskId })).toMatchObject({ code: -32602 });
  expect(await store.keys()).toEqual([]);
});

test('a result that is too long fails its task, and the error is stored', async () => {
  const wire = await openWire(
    taskServer(
      [
        job(async ({ asTask }) => {
          await asTask();
          return 'x'.repeat(10_000);
        }),
      ],
      { maxTaskLength: 5_000 },
    ),
  );
  const { taskId } = await wire.call('job');
  const message = expect.stringMatching(
    /^Cannot store the result: The task with its result has \d+ characters; the maximum is 5000$/,
  ) as string;
  expect(await pollUntil(wire, taskId, 'failed')).toMatchObject({ error: { code: -32603, message } });
});

test('a store that fails refuses new tasks, and fails a task whose result it cannot store', async () => {
  const store = memoryTaskStore();
  let broken = true;
  const failing: TaskStore = {
    ...store,
    set: (key, text) => (broken ? Promise.reject(new Error('Disk full')) : store.set(key, text)),
  };
  const { tool, started, end } = jobTool();
  const wire = await openWire(taskServer([tool], { store: failing }));
  expect(await wire.error('tools/call', { name: 'job' })).toEqual({
    code: -32603,
    message: 'Cannot store the task: Disk full',
  });
  broken = false;
  const { taskId } = await wire.call('job');
  await started;
  broken = true;
  end('Done');
  const task = await pollUntil(wire, taskId, 'failed');
  expect(task).toMatchObject({ error: { message: 'Cannot store the result: Disk full' } });
});

test('a cancellation that cannot be stored still ends the task', async () => {
  const store = memoryTaskStore();
  let broken = false;
  const failing: TaskStore = {
    ...store,
    set: (key, text) => (broken ? Promise.reject(new Error('Disk full')) : store.set(key, text)),
  };
  const { tool } = jobTool();
  const wire = await openWire(taskServer([tool], { store: failing }));
  const { taskId } = await wire.call('job');
  broken = true;
  await wire.result('tasks/cancel', { taskId });
  expect(await wire.result('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
});

test('a request that is cancelled while its task is created leaves no task', async () => {
  const store = telling();
  const { promise: writing, resolve: begun } = Promise.withResolvers<string>();
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const slow: TaskStore = {
    ...store,
    async set(key, text) {
      await store.set(key, text);
      if (key.startsWith('worker.')) return;
      begun(key);
      await written;
    },
  };
  const { promise: received, resolve: tell } = Promise.withResolvers<unknown>();
  const tool = job(async ({ asTask, signal }) => {
    signal.addEventListener('abort', () => tell(signal.reason));
    await asTask();
  });
  const wire = await openWire(taskServer([tool], { store: slow }));
  const requestId = wire.send('tools/call', { name: 'job' });
  const taskId = await writing;
  wire.notify('notifications/cancelled', { requestId, reason: 'Enough' });
  expect(await received).toEqual(new Error('Enough'));
  write();
  await store.deleted(taskId);
  expect(await wire.error('tasks/get', { taskId })).toMatchObject({ code: -32602 });
  expect((await wire.end()).filter(({ id }) => id === requestId)).toEqual([]);
});

test('a task that requests input without end fails, as a request does', async () => {
  const form = z.object({ name: z.string() });
  const wire = await openWire(
    taskServer([
      job(async ({ asTask }) => {
        await asTask();
        return inputRequired({ it: elicit('Again?', form) });
      }),
    ]),
  );
  const { taskId } = await wire.call('job');
  const keys = new Set<string>();
  for (;;) {
    const task = await wire.result('tasks/get', { taskId });
    if (task['status'] === 'failed') {
      expect(task['error']).toEqual({
        code: -32603,
        message: 'The handler requested input 20 times, the maximum for one request',
      });
      expect(keys.size).toBe(20);
      return;
    }
    for (const key of Object.keys((task['inputRequests'] ?? {}) as JsonObject)) {
      keys.add(key);
      await wire.result('tasks/update', { taskId, inputResponses: { [key]: { action: 'decline' } } });
    }
  }
});

test('a task does not send a question that the client does not support', async () => {
  const wire = await openWire(
    taskServer([
      job(async ({ asTask }) => {
        await asTask();
        return inputRequired({ it: elicit('Name?', z.object({ name: z.string() })) });
      }),
    ]),
    { capabilities: { extensions: supportsTasks.capabilities.extensions } },
  );
  const { taskId } = await wire.call('job');
  expect(await pollUntil(wire, taskId, 'failed')).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
  });
});

test('a task that waits for an answer can be cancelled', async () => {
  const wire = await openWire(
    taskServer([
      job(async ({ asTask }) => {
        await asTask();
        return inputRequired({ it: elicit('Name?', z.object({ name: z.string() })) });
      }),
    ]),
  );
  const { taskId } = await wire.call('job');
  await pollUntil(wire, taskId, 'input_required');
  await wire.result('tasks/cancel', { taskId });
  expect(await pollUntil(wire, taskId, 'cancelled')).not.toHaveProperty('inputRequests');
  const inputResponses = { it: { action: 'decline' } };
  await wire.result('tasks/update', { taskId, inputResponses });
  expect(await pollUntil(wire, taskId, 'cancelled')).not.toHaveProperty('result');
});

test('a result that violates its schema, or is not JSON, fails the task', async () => {
  const meta: JsonObject = {};
  meta['self'] = meta;
  const wrong = defineTool({
    name: 'wrong',
    description: 'Gives what its schema does not allow.',
    outputSchema: z.object({ sum: z.number() }),
    task: 'required',
    async run(_, { asTask }) {
      await asTask();
      return JSON.parse('{"sum":"three"}') as { sum: number };
    },
  });
  const circular = job(async ({ asTask }) => {
    await asTask();
    return toolResult({ content: 'Round and round', _meta: meta });
  });
  const wire = await openWire(taskServer([wrong, circular]));
  for (const name of ['wrong', 'job']) {
    const { taskId } = await wire.call(name);
    expect(await pollUntil(wire, taskId, 'failed')).toMatchObject({ error: { code: -32603 } });
  }
});

test('a client that declares the extension with unknown settings gets tasks', async () => {
  const { tool } = jobTool();
  const wire = await openWire(taskServer([tool]), {
    capabilities: { extensions: { [extension]: { more: 1 } } },
  });
  expect(await wire.call('job')).toMatchObject({ resultType: 'task' });
});

test.each([
  ['"notifications.taskIds" must be a list of task ids', 'one'],
  ['"notifications.taskIds" must be a list of task ids', [1]],
  ['At most 10000 tasks can be listened to in one request', Array.from({ length: 10_001 }, String)],
])('a wrong list of tasks is refused: %s', async (message, taskIds) => {
  const wire = await openWire(taskServer([jobTool().tool]));
  expect(await wire.error('subscriptions/listen', { notifications: { taskIds } })).toEqual({
    code: -32602,
    message,
  });
});
