import { expect } from 'vitest';
import { z } from 'zod';
import { type Call, defineTool, type LogLevel } from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, stateless, Wire } from './wire.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

const everyLevel = defineTool({
  name: 'every_level',
  description: 'Logs at every level.',
  run: (_, { log }) => {
    for (const level of levels) log(level, { at: level }, 'fixture');
  },
});

const server = example({ tools: [everyLevel], logging: true });
const receivedLevels = (wire: Wire) =>
  wire.fromServer.map(({ params }) => (params as { level: LogLevel }).level);

requirement('LOG-01', 'a server that does not declare logging sends no log messages', async (version) => {
  const wire = await Wire.open(example({ tools: [everyLevel] }), version);
  expect(await wire.capabilities()).toEqual({ tools: {} });
  await wire.call(
    'every_level',
    {},
    version === stateless ? { 'io.modelcontextprotocol/logLevel': 'debug' } : {},
  );
  expect(await wire.end()).toEqual([]);
});

requirement('LOG-02', 'log messages of the configured level and above are sent', async (version) => {
  const wire = await Wire.open(server, version);
  for (const [index, level] of levels.entries()) {
    expect(await wire.result('logging/setLevel', { level })).toEqual({});
    wire.fromServer.length = 0;
    await wire.call('every_level');
    expect(receivedLevels(wire)).toEqual(levels.slice(index));
  }
  expect(wire.fromServer).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'emergency', logger: 'fixture', data: { at: 'emergency' } },
    },
  ]);
});

requirement(['LOG-03', 'LOG-06'], 'an invalid log level is refused', async (version) => {
  const wire = await Wire.open(server, version);
  const names = levels.join(', ');
  for (const level of ['loud', 'DEBUG', '', 7, null, ['debug']]) {
    if (version === stateless) {
      expect(await wire.error('tools/list', {}, { 'io.modelcontextprotocol/logLevel': level })).toEqual({
        code: -32602,
        message: `"_meta.io.modelcontextprotocol/logLevel" must be one of ${names}`,
      });
    } else {
      expect(await wire.error('logging/setLevel', { level })).toEqual({
        code: -32602,
        message: `"level" must be one of ${names}`,
      });
    }
  }
});

requirement('LOG-04', 'a request without a log level gets no log messages', async (version) => {
  const wire = await Wire.open(server, version);
  await wire.call('every_level');
  expect(wire.fromServer).toEqual([]);
  await wire.call('every_level', {}, { 'io.modelcontextprotocol/logLevel': 'alert' });
  expect(receivedLevels(wire)).toEqual(['alert', 'emergency']);
  await wire.call('every_level');
  expect(await wire.end()).toHaveLength(2);
});

requirement(
  'LOG-05',
  'log messages are sent before the answer to their request, and not after it',
  async (version) => {
    const { promise: answered, resolve } = Promise.withResolvers<Call>();
    const late = defineTool({
      name: 'late',
      description: 'Logs after its answer.',
      run: (_, call) => {
        call.log('error', 'In time');
        resolve(call);
      },
    });
    const wire = await Wire.open(example({ tools: [late], logging: true }), version, { logLevel: 'debug' });
    await wire.call('late');
    expect(wire.fromServer).toHaveLength(1);
    (await answered).log('error', 'Too late');
    expect(await wire.end()).toHaveLength(1);
  },
);

requirement(
  'LOG-08',
  'a slow client gets a bounded number of log messages, and their data stays structured',
  async (version) => {
    const flood = defineTool({
      name: 'flood',
      description: 'Logs more than anybody reads.',
      inputSchema: z.object({ count: z.int() }),
      run: ({ count }, { log }) => {
        for (let index = 0; index < count; index++) log('error', { index });
      },
    });
    const wire = await Wire.open(example({ tools: [flood], logging: true }), version, { logLevel: 'debug' });
    await wire.call('flood', { count: 3 });
    expect(wire.fromServer.map(({ params }) => params)).toEqual(
      [0, 1, 2].map((index) => ({ level: 'error', data: { index } })),
    );
    await wire.call('flood', { count: 20_000 });
    expect(wire.fromServer.length).toBeGreaterThan(100);
    expect(wire.fromServer.length).toBeLessThan(2_000);
  },
);
