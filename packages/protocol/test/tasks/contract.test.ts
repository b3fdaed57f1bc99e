import { expect, test } from 'vitest';
import { extensionSettings } from '@mcp/protocol';
import { tasksExtension } from '@mcp/protocol/client';
import { connect } from '@mcp/protocol/testing';
import { jobTool, taskServer } from '../requirements/task-server.ts';

test('the contract of the extension is that of the methods on the wire', async () => {
  const { tool, end } = jobTool();
  await using client = await connect(taskServer([tool]));
  expect(extensionSettings(client.capabilities, tasksExtension)).toEqual({});
  const { promise: created, resolve } = Promise.withResolvers<string>();
  const result = client.callTool('job', {}, { onTask: resolve });
  const taskId = await created;
  expect(await client.callExtension(tasksExtension, 'tasks/get', { taskId })).toMatchObject({
    taskId,
    status: 'working',
  });
  expect(await client.callExtension(tasksExtension, 'tasks/update', { taskId, inputResponses: {} })).toEqual(
    expect.not.objectContaining({ taskId }),
  );
  end('Done');
  expect(await result).toMatchObject({ content: [{ text: 'Done' }] });
  expect(await client.callExtension(tasksExtension, 'tasks/get', { taskId })).toMatchObject({
    status: 'completed',
  });
  await client.callExtension(tasksExtension, 'tasks/cancel', { taskId });
  await expect(
    // @ts-expect-error: the type of the contract requires "taskId".
    client.callExtension(tasksExtension, 'tasks/get', {}),
  ).rejects.toThrow('"taskId" must be a string');
});

test('functions in `wrap` do not run around the polls of a client', async () => {
  const { tool, end } = jobTool();
  const seen: string[] = [];
  const server = taskServer([tool], {}, [
    (call, next) => {
      seen.push(call.method);
      return next();
    },
  ]);
  await using client = await connect(server);
  end('Done');
  await client.callTool('job', {});
  expect(seen).toEqual(['tools/call']);
});
