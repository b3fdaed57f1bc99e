import { expect } from 'vitest';
import { createTasks } from '@mcp/protocol/tasks';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { HttpWire, refusal } from '../http/http-wire.ts';
import { taskServer, supportsTasks, jobTool, openWire } from './task-server.ts';
import { requirement } from './requirement.ts';
import { hello, missing, unknown } from './task-answers.ts';

requirement('TASKX-10', 'a client that does not declare the extension has no access to tasks', async () => {
  const { tool } = jobTool();
  const server = taskServer([tool]);
  const { taskId } = await (await openWire(server)).call('job');
  const wire = await openWire(server, {});
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect(await wire.error(method, { taskId, inputResponses: {} }), method).toEqual(
      missing(`method "${method}"`),
    );
  }
  for (const taskIds of [[taskId], []]) {
    expect(await wire.error('subscriptions/listen', { notifications: { taskIds } })).toEqual(
      missing('filter "taskIds"'),
    );
  }
});

requirement('TASKX-10', 'an unknown task id is an invalid parameter', async () => {
  const wire = await openWire(taskServer([hello]));
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

requirement('TASKX-11', 'the header Mcp-Name has the id of the task', async (version) => {
  const { tool } = jobTool();
  await using wire = await HttpWire.open(taskServer([tool]), version, {}, supportsTasks);
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

requirement('TASKX-13', 'a task belongs to the principal that created it', async (version) => {
  const { tool } = jobTool();
  const authorization = { verify: (token: string) => ({ principal: token }) };
  await using wire = await HttpWire.open(taskServer([tool]), version, { authorization }, supportsTasks);
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
  const { tool } = jobTool();
  const wire = await openWire(taskServer([tool]));
  const ids = new Set<unknown>();
  for (let count = 0; count < 100; count++) ids.add((await wire.call('job'))['taskId']);
  expect(ids.size).toBe(100);
  for (const options of [{ ttlMs: 0.5 }, { ttlMs: Infinity }, { pollIntervalMs: 0 }, { maxTasks: -1 }]) {
    expect(() => createTasks(options)).toThrow('must be a whole number above 0');
  }
});
