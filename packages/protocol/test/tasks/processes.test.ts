import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileTaskStore, memoryTaskStore } from '@mcp/protocol/tasks';
import { ServerProcess } from '../hostile/server-process.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { taskServer, supportsTasks, jobTool, openWire, pollUntil } from '../requirements/task-server.ts';
import { metaOf } from '../requirements/wire.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tasks-'));
});
afterEach(() => rm(directory, { recursive: true }));

let lastId = 0;
async function ask(server: ServerProcess, method: string, params: JsonObject): Promise<JsonObject> {
  const _meta = metaOf(supportsTasks);
  const response = await server.ask({
    jsonrpc: '2.0',
    id: ++lastId,
    method,
    params: { ...params, _meta },
  });
  return (response['result'] ?? response) as JsonObject;
}

test('the running tasks of a killed process fail, and its finished tasks stay available', async () => {
  await using first = new ServerProcess('serve-tasks', { directory });
  const { taskId: quick } = await ask(first, 'tools/call', { name: 'quick' });
  while ((await ask(first, 'tasks/get', { taskId: quick }))['status'] !== 'completed');
  const { taskId: endless } = await ask(first, 'tools/call', { name: 'endless' });

  await using second = new ServerProcess('serve-tasks', { directory });
  expect(await ask(second, 'tasks/get', { taskId: endless })).toMatchObject({ status: 'working' });
  first.child.kill('SIGKILL');
  await first.exited;
  expect(await ask(second, 'tasks/get', { taskId: endless })).toMatchObject({
    status: 'failed',
    statusMessage: 'The process that worked on this task has ended',
    error: { code: -32603, message: 'The process that worked on this task has ended' },
  });
  expect(await ask(second, 'tasks/get', { taskId: quick })).toMatchObject({
    status: 'completed',
    result: { content: [{ type: 'text', text: 'Done' }] },
  });
  // Finished tasks need no process.
  expect(await ask(second, 'tasks/cancel', { taskId: endless })).toMatchObject({ resultType: 'complete' });

  await using third = new ServerProcess('serve-tasks', { directory });
  expect(await ask(third, 'tasks/get', { taskId: endless })).toMatchObject({ status: 'failed' });
});

test('the unfinished tasks of a process that shut down have failed', async () => {
  await using first = new ServerProcess('serve-tasks', { directory });
  const { taskId } = await ask(first, 'tools/call', { name: 'endless' });
  expect(await first.end()).toMatchObject({ code: 0, stderr: '' });
  await using second = new ServerProcess('serve-tasks', { directory });
  expect(await ask(second, 'tasks/get', { taskId })).toMatchObject({ status: 'failed' });
});

test('servers that share a store see each other’s tasks, and each runs its own', async () => {
  const store = memoryTaskStore();
  const { tool, end } = jobTool();
  const here = await openWire(taskServer([tool], { store }));
  const there = await openWire(taskServer([tool], { store }));
  const { taskId } = await here.call('job');
  expect(await there.result('tasks/get', { taskId })).toMatchObject({ taskId, status: 'working' });
  const elsewhere = {
    code: -32603,
    message:
      'Another process runs this task; route its requests to that process by the header Mcp-Name, which has the task id',
  };
  expect(await there.error('tasks/cancel', { taskId })).toEqual(elsewhere);
  expect(await there.error('tasks/update', { taskId, inputResponses: {} })).toEqual(elsewhere);
  there.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
  // It does not acknowledge tasks that it cannot watch.
  expect((await there.nextFromServer())['params']).toMatchObject({ notifications: {} });
  end('Done');
  await pollUntil(here, taskId, 'completed');
  expect(await pollUntil(there, taskId, 'completed')).toMatchObject({
    result: { content: [{ text: 'Done' }] },
  });
});

test('a process without a heartbeat for a minute counts as ended, on any machine', async () => {
  const store = memoryTaskStore();
  const { tool } = jobTool();
  const here = await openWire(taskServer([tool], { store }));
  const { taskId } = await here.call('job');
  const there = await openWire(taskServer([tool], { store }));
  const [worker] = (await store.keys()).filter((key) => key.startsWith('worker.'));
  const sign = JSON.parse((await store.get(worker!))!) as JsonObject;
  await store.set(worker!, JSON.stringify({ ...sign, host: 'other', pid: 1 }));
  await pollUntil(there, taskId, 'working');
  await store.set(worker!, JSON.stringify({ ...sign, host: 'other', at: Date.now() - 61_000 }));
  await pollUntil(there, taskId, 'failed');
});

test('an unknown task is refused when the directory of the store is gone', async () => {
  const { tool } = jobTool();
  const wire = await openWire(taskServer([tool], { store: fileTaskStore(directory) }));
  const never = `${(Date.now() + 60_000).toString(36)}-${crypto.randomUUID()}`;
  expect(await wire.error('tasks/get', { taskId: never })).toMatchObject({ code: -32602 });
});
