import { expect } from 'vitest';
import * as z from 'zod';
import { acceptedContent, defineTool, elicit, inputRequired, RpcError } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { taskServer, jobTool, openWire, pollUntil } from './task-server.ts';
import { requirement } from './requirement.ts';
import { stamped, stateless } from './wire.ts';

const nameForm = z.object({ name: z.string() });

const askName = elicit('Your name?', nameForm);

const accept = (name: string) => ({ action: 'accept', content: { name } });

/** A tool whose task ends as `end` does. */
function ending(end: () => unknown) {
  return defineTool({
    name: 'job',
    description: 'Ends at once.',
    task: 'required',
    async run(_, { asTask }) {
      await asTask();
      return end() as string;
    },
  });
}

requirement(
  ['TASKX-04', 'TASKX-13', 'TASKX-14'],
  'a task is flat, and only its creation has the result type "task"',
  async () => {
    const { tool, end } = jobTool();
    const wire = await openWire(taskServer([tool], { ttlMs: 60_000, pollIntervalMs: 500 }));
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
    await pollUntil(wire, taskId, 'completed');
    expect(await wire.result('tasks/cancel', { taskId })).toEqual(acknowledged);
  },
);

requirement('TASKX-06', 'a finished task contains its result or its error', async () => {
  const wire = await openWire(taskServer([ending(() => 'Done')]));
  const { taskId } = await wire.call('job');
  const result = stamped(stateless, { content: [{ type: 'text', text: 'Done' }] });
  const completed = await pollUntil(wire, taskId, 'completed');
  expect(completed).toMatchObject({ resultType: 'complete', taskId, result });
  expect(completed).not.toHaveProperty('error');

  const data = { region: 'eu' };
  const broken = await openWire(
    taskServer([
      ending(() => {
        throw new RpcError(-32603, 'Broken', data);
      }),
    ]),
  );
  const failed = await pollUntil(broken, (await broken.call('job'))['taskId'], 'failed');
  const error = { code: -32603, message: 'Broken', data };
  expect(failed).toMatchObject({ resultType: 'complete', statusMessage: 'Broken', error });
  expect(failed).not.toHaveProperty('result');
});

requirement('TASKX-06', 'a task that waits shows its open questions until all are answered', async () => {
  const tool = defineTool({
    name: 'job',
    description: 'Asks two things.',
    task: 'optional',
    async run(_, { inputs, state, asTask }) {
      await asTask();
      if (!inputs['first']) return inputRequired({ first: askName, last: askName }, { asked: 1 });
      const { name: first } = (await acceptedContent(inputs['first'], nameForm))!;
      const { name: last } = (await acceptedContent(inputs['last'], nameForm))!;
      return `${first} ${last} ${JSON.stringify(state)}`;
    },
  });
  const wire = await openWire(taskServer([tool]));
  const { taskId } = await wire.call('job');
  const question = { method: 'elicitation/create', params: expect.objectContaining({ mode: 'form' }) };
  expect(await pollUntil(wire, taskId, 'input_required')).toMatchObject({
    inputRequests: { first: question, last: question },
  });
  await wire.result('tasks/update', { taskId, inputResponses: { last: accept('Lovelace') } });
  const { inputRequests } = await wire.result('tasks/get', { taskId });
  expect(inputRequests).toEqual({ first: question });
  await wire.result('tasks/update', { taskId, inputResponses: { first: accept('Ada') } });
  const { result, ...rest } = await pollUntil(wire, taskId, 'completed');
  expect(result).toMatchObject({ content: [{ text: 'Ada Lovelace {"asked":1}' }] });
  expect(rest).not.toHaveProperty('inputRequests');
});

requirement('TASKX-07', 'a tool error is the result of a completed task', async () => {
  const wire = await openWire(
    taskServer([
      ending(() => {
        throw new Error('No such file: "missing.txt"');
      }),
    ]),
  );
  expect(await pollUntil(wire, (await wire.call('job'))['taskId'], 'completed')).toMatchObject({
    result: { isError: true, content: [{ text: 'No such file: "missing.txt"' }] },
  });
});

requirement('TASKX-09', 'the key of a question is used once in the life of a task', async () => {
  const tool = defineTool({
    name: 'job',
    description: 'Asks the same twice.',
    task: 'optional',
    async run(_, { inputs, state = [], asTask }) {
      await asTask();
      const { it } = inputs;
      const names = [...(state as string[]), ...(it ? [(await acceptedContent(it, nameForm))!.name] : [])];
      if (names.length === 2) return names.join(' ');
      return inputRequired({ it: askName, ...(names.length === 1 && { 'it-2': askName }) }, names);
    },
  });
  const wire = await openWire(taskServer([tool]));
  const { taskId } = await wire.call('job');
  expect((await pollUntil(wire, taskId, 'input_required'))['inputRequests']).toHaveProperty('it');
  await wire.result('tasks/update', { taskId, inputResponses: { it: accept('Ada') } });
  const { inputRequests } = await pollUntil(wire, taskId, 'input_required');
  const keys = Object.keys(inputRequests as JsonObject);
  expect(keys).toEqual(['it-2', 'it-2-2']);
  // A second answer to a question is ignored; a malformed answer is refused.
  await wire.result('tasks/update', { taskId, inputResponses: { it: accept('Eve') } });
  expect(
    await wire.error('tasks/update', { taskId, inputResponses: { 'it-2': { action: 'maybe' } } }),
  ).toMatchObject({ code: -32602 });
  const answers = Object.fromEntries(keys.map((key) => [key, accept('Lovelace')]));
  await wire.result('tasks/update', { taskId, inputResponses: answers });
  expect(await pollUntil(wire, taskId, 'completed')).toMatchObject({
    result: { content: [{ text: 'Ada Lovelace' }] },
  });
});

requirement(
  'TASKX-15',
  'a question before the task exists is part of the result of the request',
  async () => {
    const tool = defineTool({
      name: 'job',
      description: 'Asks first.',
      task: 'required',
      async run(_, { inputs, state, asTask }) {
        const answer = await acceptedContent(inputs['who'], nameForm);
        if (!answer) return inputRequired({ who: askName }, 'asked');
        await asTask();
        return `Hello, ${answer.name} ${String(state)}`;
      },
    });
    const wire = await openWire(taskServer([tool]));
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
    expect(await pollUntil(wire, created['taskId'], 'completed')).toMatchObject({
      result: { content: [{ text: 'Hello, Ada asked' }] },
    });
  },
);
