import { expect } from 'vitest';
import * as z from 'zod';
import { acceptedContent, defineTool, elicit, inputRequired, RpcError } from '@mcp/protocol';
import { createTasks, memoryStore } from '@mcp/protocol/tasks';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { HttpWire, refusal } from '../http/http-wire.ts';
import { extension, keeping, knowing, longJob, open, until } from './long-job.ts';
import { requirement } from './requirement.ts';
import { example, stamped, stateless, Wire } from './wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const nameForm = z.object({ name: z.string() });
const askName = elicit('Your name?', nameForm);
const accept = (name: string) => ({ action: 'accept', content: { name } });

const missing = {
  code: -32021,
  message: `This needs the client capability "${extension}"`,
  data: { requiredCapabilities: { extensions: { [extension]: {} } } },
};
const unknown = { code: -32602, message: 'There is no task with this "taskId", or its time is over' };

/** A tool whose task ends as `end` does. */
function ending(end: () => unknown) {
  return defineTool({
    name: 'job',
    description: 'Ends at once.',
    task: 'required',
    async run(_, _context, { asTask }) {
      await asTask();
      return end() as string;
    },
  });
}

requirement(
  'TASK-02',
  'without tasks of its own a server takes no notice of `task`, at any tool',
  async (version) => {
    const { tool, end } = longJob();
    end('Done');
    for (const server of [example({ tools: [hello, tool] }), keeping([hello, tool])]) {
      const wire = await Wire.open(server, version, {
        capabilities: { tasks: { requests: {} }, ...knowing.capabilities },
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
  },
);

requirement('CANC-04', 'tasks/cancel ends a task, and a notification does not', async (version) => {
  const { tool, started, end } = longJob();
  const wire = await Wire.open(keeping([tool, hello]), version, knowing);
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
  expect(await until(wire, taskId, 'cancelled')).not.toHaveProperty('result');
});

requirement('PROG-09', 'progress keeps its token until the answer, and stops then', async (version) => {
  const { tool, started, end } = longJob();
  const wire = await Wire.open(keeping([tool, hello]), version, knowing);
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
  const { tool } = longJob();
  const wire = await open(keeping([tool]));
  expect(await wire.capabilities()).toEqual({ tools: {}, extensions: { [extension]: {} } });
  const without = await open(example({ tools: [tool] }));
  expect(await without.capabilities()).toEqual({ tools: {} });
  expect(await without.error('tasks/get', { taskId: '1' })).toMatchObject({ code: -32601 });
});

requirement('TASKX-02', 'only who declares the extension with the request gets a task', async () => {
  const { tool, end } = longJob();
  end('Done');
  const wire = await open(keeping([tool]), {});
  const done = stamped(stateless, { content: [{ type: 'text', text: 'Done' }] });
  expect(await wire.call('job')).toEqual(done);
  const declared = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [extension]: {} } } };
  expect(await wire.call('job', {}, declared)).toMatchObject({ resultType: 'task' });
  // What was declared before does not count, nor what only looks like it.
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
  const without = await open(example({ tools: [tool] }));
  expect(await without.call('job')).toEqual(done);
});

requirement('TASKX-03', 'a tool that needs tasks refuses who does not know them, first of all', async () => {
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
  const wire = await open(keeping([tool]), {});
  expect(await wire.error('tools/call', { name: 'job' })).toEqual(missing);
  expect(await wire.error('tools/call', { name: 'job', arguments: { path: '.' } })).toEqual(missing);
  expect(ran).toBe(false);
});

requirement(
  ['TASKX-04', 'TASKX-13', 'TASKX-14'],
  'a task is flat, and only its creation has the result type "task"',
  async () => {
    const { tool, end } = longJob();
    const wire = await open(keeping([tool], { ttlMs: 60_000, pollIntervalMs: 500 }));
    const created = await wire.call('job');
    const { taskId, createdAt } = created as { taskId: string; createdAt: string };
    expect(taskId).toMatch(/^[0-9a-z]+-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    const members = {
      taskId,
      status: 'working',
      statusMessage: 'Working on it',
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: 60_000,
      pollIntervalMs: 500,
    };
    expect(created).toEqual({ ...stamped(stateless, members), resultType: 'task' });
    // The prose says "complete"; some of the examples say otherwise.
    expect(await wire.result('tasks/get', { taskId })).toEqual(stamped(stateless, members));
    const acknowledged = stamped(stateless, {});
    expect(await wire.result('tasks/update', { taskId, inputResponses: {} })).toEqual(acknowledged);
    end('Done');
    await until(wire, taskId, 'completed');
    expect(await wire.result('tasks/cancel', { taskId })).toEqual(acknowledged);
  },
);

requirement('TASKX-05', 'a task is stored before its id is given away', async () => {
  const inner = memoryStore();
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
  const { tool } = longJob();
  const wire = await open(keeping([tool, hello], { store }));
  const id = wire.send('tools/call', { name: 'job' });
  await writing;
  await wire.call('hello');
  expect(wire.raw.received.filter((message) => message['id'] === id)).toEqual([]);
  write();
  const { taskId } = (await wire.response(id))['result'] as { taskId: string };
  expect(await inner.get(taskId)).toContain(taskId);
  expect(await wire.result('tasks/get', { taskId })).toMatchObject({ status: 'working' });
});

requirement('TASKX-06', 'a task that is over has its result or its error in it', async () => {
  const wire = await open(keeping([ending(() => 'Done')]));
  const { taskId } = await wire.call('job');
  const result = stamped(stateless, { content: [{ type: 'text', text: 'Done' }] });
  const completed = await until(wire, taskId, 'completed');
  expect(completed).toMatchObject({ resultType: 'complete', taskId, result });
  expect(completed).not.toHaveProperty('error');

  const data = { region: 'eu' };
  const broken = await open(
    keeping([
      ending(() => {
        throw new RpcError(-32603, 'Broken', data);
      }),
    ]),
  );
  const failed = await until(broken, (await broken.call('job'))['taskId'], 'failed');
  const error = { code: -32603, message: 'Broken', data };
  expect(failed).toMatchObject({ resultType: 'complete', statusMessage: 'Broken', error });
  expect(failed).not.toHaveProperty('result');
});

requirement('TASKX-06', 'a task that waits shows what it asks, until all is answered', async () => {
  const tool = defineTool({
    name: 'job',
    description: 'Asks two things.',
    task: 'optional',
    async run(_, _context, { inputs, state, asTask }) {
      await asTask();
      if (!inputs['first']) return inputRequired({ first: askName, last: askName }, { asked: 1 });
      const { name: first } = (await acceptedContent(inputs['first'], nameForm))!;
      const { name: last } = (await acceptedContent(inputs['last'], nameForm))!;
      return `${first} ${last} ${JSON.stringify(state)}`;
    },
  });
  const wire = await open(keeping([tool]));
  const { taskId } = await wire.call('job');
  const question = { method: 'elicitation/create', params: expect.objectContaining({ mode: 'form' }) };
  expect(await until(wire, taskId, 'input_required')).toMatchObject({
    inputRequests: { first: question, last: question },
  });
  await wire.result('tasks/update', { taskId, inputResponses: { last: accept('Lovelace') } });
  const { inputRequests } = await wire.result('tasks/get', { taskId });
  expect(inputRequests).toEqual({ first: question });
  await wire.result('tasks/update', { taskId, inputResponses: { first: accept('Ada') } });
  const { result, ...rest } = await until(wire, taskId, 'completed');
  expect(result).toMatchObject({ content: [{ text: 'Ada Lovelace {"asked":1}' }] });
  expect(rest).not.toHaveProperty('inputRequests');
});

requirement('TASKX-07', 'what a tool fails at is a completed task', async () => {
  const wire = await open(
    keeping([
      ending(() => {
        throw new Error('No such file: "missing.txt"');
      }),
    ]),
  );
  expect(await until(wire, (await wire.call('job'))['taskId'], 'completed')).toMatchObject({
    result: { isError: true, content: [{ text: 'No such file: "missing.txt"' }] },
  });
});

requirement('TASKX-08', 'answers and cancellations are acknowledged, unknown tasks refused', async () => {
  const { tool, started } = longJob();
  const wire = await open(keeping([tool]));
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
});

requirement('TASKX-09', 'a key asks one thing in the life of a task', async () => {
  const tool = defineTool({
    name: 'job',
    description: 'Asks the same twice.',
    task: 'optional',
    async run(_, _context, { inputs, state = [], asTask }) {
      await asTask();
      const { it } = inputs;
      const heard = [...(state as string[]), ...(it ? [(await acceptedContent(it, nameForm))!.name] : [])];
      if (heard.length === 2) return heard.join(' ');
      return inputRequired({ it: askName, ...(heard.length === 1 && { 'it-2': askName }) }, heard);
    },
  });
  const wire = await open(keeping([tool]));
  const { taskId } = await wire.call('job');
  expect((await until(wire, taskId, 'input_required'))['inputRequests']).toHaveProperty('it');
  await wire.result('tasks/update', { taskId, inputResponses: { it: accept('Ada') } });
  const { inputRequests } = await until(wire, taskId, 'input_required');
  const keys = Object.keys(inputRequests as JsonObject);
  expect(keys).toEqual(['it-2', 'it-2-2']);
  // An answer to what has been answered means nothing; one that is none is refused.
  await wire.result('tasks/update', { taskId, inputResponses: { it: accept('Eve') } });
  expect(
    await wire.error('tasks/update', { taskId, inputResponses: { 'it-2': { action: 'maybe' } } }),
  ).toMatchObject({ code: -32602 });
  const answers = Object.fromEntries(keys.map((key) => [key, accept('Lovelace')]));
  await wire.result('tasks/update', { taskId, inputResponses: answers });
  expect(await until(wire, taskId, 'completed')).toMatchObject({
    result: { content: [{ text: 'Ada Lovelace' }] },
  });
});

requirement('TASKX-10', 'who does not declare the extension has no access to tasks', async () => {
  const { tool } = longJob();
  const server = keeping([tool]);
  const { taskId } = await (await open(server)).call('job');
  const wire = await open(server, {});
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect(await wire.error(method, { taskId, inputResponses: {} }), method).toEqual(missing);
  }
  for (const taskIds of [[taskId], []]) {
    expect(await wire.error('subscriptions/listen', { notifications: { taskIds } })).toEqual(missing);
  }
});

requirement('TASKX-10', 'an unknown task is a wrong parameter', async () => {
  const wire = await open(keeping([hello]));
  const gone = `${(Date.now() - 1).toString(36)}-${crypto.randomUUID()}`;
  const never = `${(Date.now() + 60_000).toString(36)}-${crypto.randomUUID()}`;
  for (const taskId of ['', '..', '../../etc/passwd', 'constructor', gone, never]) {
    expect(await wire.error('tasks/get', { taskId }), taskId).toEqual(unknown);
  }
  for (const taskId of [undefined, null, 1, {}]) {
    expect(await wire.error('tasks/get', { taskId })).toEqual({
      code: -32602,
      message: '"taskId" must be a string',
    });
  }
});

requirement('TASKX-11', 'the header Mcp-Name says which task a request is about', async (version) => {
  const { tool } = longJob();
  await using wire = await HttpWire.open(keeping([tool]), version, {}, knowing);
  const created = (await (await wire.call('job')).json()) as { result: { taskId: string } };
  const { taskId } = created.result;
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const ask = (headers: { [name: string]: string }) =>
      wire.ask(method, { taskId, inputResponses: {} }, headers);
    expect((await ask({ 'mcp-name': taskId })).status, method).toBe(200);
    for (const headers of [{}, { 'mcp-name': 'other' }]) {
      expect(await refusal(await ask(headers))).toMatchObject([400, { code: -32020 }]);
    }
  }
});

requirement('TASKX-12', 'what tasks were before has no meaning any more', async () => {
  const { tool } = longJob();
  const wire = await open(keeping([hello, tool]));
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

requirement('TASKX-13', 'a task belongs to who began it', async (version) => {
  const { tool } = longJob();
  const authorization = { verify: (token: string) => ({ principal: token }) };
  await using wire = await HttpWire.open(keeping([tool]), version, { authorization }, knowing);
  const as = (principal: string, more = {}) => ({ authorization: `Bearer ${principal}`, ...more });
  const created = (await (await wire.call('job', {}, as('alice'))).json()) as { result: JsonObject };
  const taskId = String(created.result['taskId']);
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const answers = { taskId, inputResponses: {} };
    const refused = await wire.ask(method, answers, as('bob', { 'mcp-name': taskId }));
    expect(await refused.json(), method).toMatchObject({ error: unknown });
  }
  const got = await wire.ask('tasks/get', { taskId }, as('alice', { 'mcp-name': taskId }));
  expect(await got.json()).toMatchObject({ result: { status: 'working' } });
});

requirement('TASKX-13', 'ids of tasks do not repeat', async () => {
  const { tool } = longJob();
  const wire = await open(keeping([tool]));
  const ids = new Set<unknown>();
  for (let count = 0; count < 100; count++) ids.add((await wire.call('job'))['taskId']);
  expect(ids.size).toBe(100);
  for (const options of [{ ttlMs: 0.5 }, { ttlMs: Infinity }, { pollIntervalMs: 0 }, { maxTasks: -1 }]) {
    expect(() => createTasks(options)).toThrow('must be a whole number above 0');
  }
});

requirement(
  ['TASKX-14', 'TASKX-06'],
  'a listener hears how a task is and becomes, and nothing else of it',
  async () => {
    const { tool, started, end } = longJob();
    const wire = await open(keeping([tool]));
    const { taskId } = await wire.call('job', {}, { progressToken: 1 });
    const call = await started;
    const id = wire.send('subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown'] } });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    expect(await wire.heard()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications: { taskIds: [taskId] } },
    });
    const told = async () => {
      const { method, params } = await wire.heard();
      expect(method).toBe('notifications/tasks');
      const { _meta: meta, ...task } = params as JsonObject;
      expect(meta).toEqual(_meta);
      return task;
    };
    const now = async () => {
      const { resultType: _, _meta: __, ...task } = await wire.result('tasks/get', { taskId });
      return task;
    };
    expect(await told()).toEqual(await now());
    call.log('emergency', 'Nobody hears this');
    call.progress(1, 2);
    const working = await told();
    expect(working).toEqual(await now());
    expect(working).toMatchObject({ status: 'working', statusMessage: '1 of 2' });
    call.progress(2, 2, 'Nearly there');
    expect(await told()).toMatchObject({ statusMessage: 'Nearly there' });
    end('Done');
    const over = await told();
    expect(over).toEqual(await now());
    expect(over).toMatchObject({ status: 'completed', result: { content: [{ text: 'Done' }] } });
    call.progress(3, 3, 'Too late');
    // Who comes late hears how it ended.
    wire.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await wire.heard();
    expect((await wire.heard())['params']).toMatchObject({ status: 'completed' });
    const methods = (await wire.end()).map(({ method }) => method);
    expect(methods).not.toContain('notifications/progress');
    expect(methods).not.toContain('notifications/message');
  },
);

requirement('TASKX-15', 'what is asked before the task begins is asked of the request', async () => {
  const tool = defineTool({
    name: 'job',
    description: 'Asks first.',
    task: 'required',
    async run(_, _context, { inputs, state, asTask }) {
      const answer = await acceptedContent(inputs['who'], nameForm);
      if (!answer) return inputRequired({ who: askName }, 'asked');
      await asTask();
      return `Hello, ${answer.name} ${String(state)}`;
    },
  });
  const wire = await open(keeping([tool]));
  const asked = await wire.call('job');
  expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  expect(asked).not.toHaveProperty('taskId');
  const created = await wire.result('tools/call', {
    name: 'job',
    arguments: {},
    inputResponses: { who: accept('Ada') },
    requestState: asked['requestState'],
  });
  expect(created).toMatchObject({ resultType: 'task' });
  expect(created).not.toHaveProperty('requestState');
  expect(created).not.toHaveProperty('inputRequests');
  expect(await until(wire, created['taskId'], 'completed')).toMatchObject({
    result: { content: [{ text: 'Hello, Ada asked' }] },
  });
});
