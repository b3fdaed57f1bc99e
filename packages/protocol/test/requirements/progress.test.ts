import { expect } from 'vitest';
import { z } from 'zod';
import { type Call, defineTool } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

const work = defineTool({
  name: 'work',
  description: 'Tells how far it is.',
  inputSchema: z.object({ steps: z.array(z.number()) }),
  run: ({ steps }, { progress }) => {
    for (const step of steps) progress(step, 10, `Step ${step}`);
  },
});

const server = example({ tools: [work] });

const steps = (wire: Wire) => wire.fromServer.map(({ params }) => (params as { progress: number }).progress);

requirement(['PROG-01', 'PROG-04', 'PROG-05'], 'progress has the token of its request', async (version) => {
  const wire = await Wire.open(server, version);
  for (const progressToken of ['token', '', 0, 7, -1]) {
    wire.fromServer.length = 0;
    await wire.call('work', { steps: [5] }, { progressToken });
    expect(wire.fromServer).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: {
          progressToken,
          progress: 5,
          total: 10,
          ...(version > '2024-11-05' && { message: 'Step 5' }),
        },
      },
    ]);
  }
});

requirement('PROG-01', 'an invalid progress token is refused', async (version) => {
  const wire = await Wire.open(server, version);
  for (const progressToken of [1.5, true, null, {}, ['a']]) {
    expect(await wire.error('tools/list', {}, { progressToken })).toEqual({
      code: -32602,
      message: '"_meta.progressToken" must be a string or an integer',
    });
  }
});

requirement('PROG-03', 'progress increases with every notification', async (version) => {
  const wire = await Wire.open(server, version);
  await wire.call('work', { steps: [0, 1, 1, 0.5, -3, 1.5, 9, 2] }, { progressToken: 1 });
  expect(steps(wire)).toEqual([0, 1, 1.5, 9]);
});

requirement('PROG-03', 'a progress value that is not a number is not sent', async (version) => {
  const odd = defineTool({
    name: 'odd',
    description: 'Divides by zero.',
    run: (_, { progress }) => {
      for (const step of [NaN, 0 / 0, -Infinity, 1, Infinity, 2]) progress(step, step / 0);
    },
  });
  const wire = await Wire.open(example({ tools: [odd] }), version);
  await wire.call('odd', {}, { progressToken: 1 });
  expect(wire.fromServer.map(({ params }) => params)).toEqual([
    { progressToken: 1, progress: 1 },
    { progressToken: 1, progress: 2 },
  ]);
});

requirement('PROG-05', 'no progress is sent without a token', async (version) => {
  const wire = await Wire.open(server, version);
  await wire.call('work', { steps: [1, 2, 3] });
  expect(await wire.end()).toEqual([]);
});

requirement('PROG-06', 'concurrent requests have separate progress', async (version) => {
  const wire = await Wire.open(server, version);
  const first = wire.send('tools/call', { name: 'work', arguments: { steps: [3] } }, { progressToken: 'a' });
  const second = wire.send(
    'tools/call',
    { name: 'work', arguments: { steps: [1, 2] } },
    { progressToken: 'b' },
  );
  await wire.response(first);
  await wire.response(second);
  expect(
    wire.fromServer.map(({ params }) => [
      (params as JsonObject)['progressToken'],
      (params as JsonObject)['progress'],
    ]),
  ).toEqual([
    ['a', 3],
    ['b', 1],
    ['b', 2],
  ]);
});

requirement('PROG-07', 'a slow client does not get the intermediate steps', async (version) => {
  const far = defineTool({
    name: 'far',
    description: 'Takes many steps.',
    run: (_, { progress }) => {
      for (let step = 1; step <= 20_000; step++) progress(step, 20_000);
    },
  });
  const wire = await Wire.open(example({ tools: [far] }), version);
  await wire.call('far', {}, { progressToken: 1 });
  expect(wire.fromServer.length).toBeLessThan(2_000);
  expect(steps(wire).at(-1)).toBe(20_000);
});

requirement('PROG-08', 'no progress is sent after the answer', async (version) => {
  const { promise: answered, resolve } = Promise.withResolvers<Call>();
  const late = defineTool({
    name: 'late',
    description: 'Goes on after its answer.',
    run: (_, call) => {
      call.progress(1);
      resolve(call);
    },
  });
  const wire = await Wire.open(example({ tools: [late] }), version);
  await wire.call('late', {}, { progressToken: 1 });
  (await answered).progress(2);
  expect(await wire.end()).toHaveLength(1);
});

requirement('PROG-10', 'progress that a client sends changes nothing', async (version) => {
  const wire = await Wire.open(server, version);
  wire.notify('notifications/progress', { progressToken: 1, progress: 1 });
  await wire.call('work', { steps: [1] });
  expect(await wire.end()).toEqual([]);
});
