import { expect } from 'vitest';
import { z } from 'zod';
import { defineServer, defineTool, jsonSchema, LiveList } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, stamped, stateless, Wire } from './wire.ts';
import { hello, nothing, fail, server, listed } from './tool-server.ts';

requirement('TOOL-01', 'a server with tools declares them', async (version) => {
  expect(await (await Wire.open(server, version)).capabilities()).toEqual({ tools: {} });
});

requirement('TOOL-02', 'an empty list is answered', async (version) => {
  const wire = await Wire.open(example({ tools: new LiveList() }), version);
  expect(await wire.result('tools/list')).toMatchObject({ resultType: 'complete', tools: [] });
});

requirement('TOOL-03', 'the list does not depend on earlier requests', async (version) => {
  const first = await Wire.open(server, version, { capabilities: { elicitation: {} } });
  const before = await listed(first);
  await first.call('hello');
  await first.error('tools/call', { name: 'missing' });
  const second = await Wire.open(server, version);
  expect(await listed(first)).toEqual(before);
  expect(await listed(second)).toEqual(before);
});

requirement('TOOL-04', 'the list has the order of the definition', async (version) => {
  const wire = await Wire.open(server, version);
  for (let round = 0; round < 3; round++) {
    expect((await listed(wire)).map(({ name }) => name)).toEqual(['hello', 'nothing', 'add', 'fail']);
  }
});

requirement('TOOL-05', 'a client is notified when the list changes', async (version) => {
  const tools = new LiveList([hello]);
  const wire = await Wire.open(example({ tools }), version);
  expect(await wire.capabilities()).toEqual({ tools: { listChanged: true } });
  tools.add(nothing);
  expect(await wire.nextFromServer()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  expect((await listed(wire)).map(({ name }) => name)).toEqual(['hello', 'nothing']);
});

requirement('TOOL-06', 'only a subscription is notified when the list changes', async (version) => {
  const tools = new LiveList([hello]);
  const wire = await Wire.open(example({ tools, prompts: new LiveList() }), version);
  await wire.result('server/discover');
  tools.add(nothing);
  const deaf = wire.send('subscriptions/listen', { notifications: { promptsListChanged: true } });
  await wire.nextFromServer();
  const id = wire.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await wire.nextFromServer();
  tools.remove(nothing);
  expect(await wire.nextFromServer()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  });
  const received = (await wire.end()).map(({ method, params }) => [
    method,
    (params as JsonObject)['requestId'] ??
      ((params as JsonObject)['_meta'] as JsonObject)['io.modelcontextprotocol/subscriptionId'],
  ]);
  expect(received).toEqual([
    ['notifications/subscriptions/acknowledged', deaf],
    ['notifications/subscriptions/acknowledged', id],
    ['notifications/tools/list_changed', id],
    ['notifications/cancelled', deaf],
    ['notifications/cancelled', id],
  ]);
});

requirement(['TOOL-07', 'TOOL-08', 'JSCH-04'], 'input schemas are object schemas', async (version) => {
  const [first, , third] = await listed(await Wire.open(server, version));
  expect(first?.['inputSchema']).toEqual({ type: 'object', additionalProperties: false });
  expect(third?.['inputSchema']).toEqual({
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
    required: ['a'],
  });
});

requirement('TOOL-07', 'a schema that does not describe an object is never published', (version) => {
  const wrong = () =>
    defineTool({
      name: 'wrong',
      description: version,
      inputSchema: jsonSchema({}, (value) => value),
      run: () => 'x',
    });
  expect(wrong).toThrow('The inputSchema of the tool "wrong" must be a schema of objects');
});

requirement(
  'TOOL-09',
  'a tool with an invalid name, and two tools with the same name, cannot be defined',
  (version) => {
    const named = (name: string) => defineTool({ name, description: 'x', run: () => version });
    for (const name of ['', 'two words', 'über', 'a/b', 'a,b', 'line\n', 'x'.repeat(129)]) {
      expect(() => named(name)).toThrow(
        `Invalid name of a tool: ${JSON.stringify(name)}; expected 1 to 128 of A-Z a-z 0-9 _ - .`,
      );
    }
    for (const name of ['a', 'A', 'get_user', 'DATA-EXPORT_v2', 'admin.tools.list', '0', 'x'.repeat(128)]) {
      expect(named(name).name).toBe(name);
    }
    expect(() => example({ tools: [named('same'), named('same')] })).toThrow('Duplicate tool: "same"');
    expect(() => example({ tools: [named('same'), named('Same')] })).not.toThrow();
  },
);

requirement(['TOOL-17', 'TOOL-18'], 'an unknown tool is a protocol error', async (version) => {
  const wire = await Wire.open(server, version);
  for (const name of ['missing', '', 'constructor', '__proto__']) {
    expect(await wire.error('tools/call', { name })).toEqual({
      code: -32602,
      message: `Unknown tool: "${name}"`,
    });
  }
  expect(await wire.error('tools/call', { name: 'Hello' })).toEqual({
    code: -32602,
    message: 'Unknown tool: "Hello"; did you mean "hello"?',
  });
});

requirement('TOOL-18', 'a malformed call is a protocol error', async (version) => {
  const wire = await Wire.open(server, version);
  for (const [params, message] of [
    [{}, '"name" must be a string'],
    [{ name: 7 }, '"name" must be a string'],
    [{ name: 'add', arguments: [] }, '"arguments" must be an object'],
    [{ name: 'add', arguments: null }, '"arguments" must be an object'],
    [{ name: 'add', arguments: 'a=1' }, '"arguments" must be an object'],
  ] as const) {
    expect(await wire.error('tools/call', params)).toEqual({ code: -32602, message });
  }
});

requirement(
  ['TOOL-18', 'TOOL-19', 'TOOL-21'],
  'invalid arguments are an error result for the model, and the tool does not run',
  async (version) => {
    let runs = 0;
    const counted = defineTool({
      name: 'counted',
      description: 'Counts its runs.',
      inputSchema: z.object({ a: z.number(), b: z.object({ c: z.string() }) }),
      run: () => `${++runs}`,
    });
    const wire = await Wire.open(example({ tools: [counted] }), version);
    expect(await wire.call('counted', { a: '1x', b: {} })).toEqual(
      stamped(version, {
        content: [
          {
            type: 'text',
            text:
              'Invalid arguments for counted: Argument "a" must be a number, not a string ("1x"). ' +
              'Missing argument "b.c" (string).',
          },
        ],
        isError: true,
      }),
    );
    expect(runs).toBe(0);
  },
);

requirement('TOOL-20', 'an exception in a tool is an error result', async (version) => {
  const odd = defineTool({
    name: 'odd',
    description: 'Throws what is no error.',
    run: () => Promise.reject('Just text' as unknown as Error),
  });
  const wire = await Wire.open(example({ tools: [fail, odd] }), version);
  expect(await wire.call('fail')).toEqual(
    stamped(version, { content: [{ type: 'text', text: 'No such file: "missing.txt"' }], isError: true }),
  );
  expect(await wire.call('odd')).toMatchObject({ content: [{ text: 'Just text' }], isError: true });
});

requirement(
  'TOOL-28',
  'the parameter `task` changes nothing, and no tool declares task support',
  async (version) => {
    const wire = await Wire.open(server, version);
    const plain = await wire.call('hello');
    expect(await wire.result('tools/call', { name: 'hello', task: { ttl: 60_000 } })).toEqual(plain);
    for (const tool of await listed(wire)) expect(tool).not.toHaveProperty('execution');
    expect(version).toBe(stateless);
  },
);

requirement('ICON-04', 'a tool has a title besides its name', async (version) => {
  const titled = defineTool({ name: 'titled', title: 'Has a Title', description: 'x', run: () => 'x' });
  const wire = await Wire.open(defineServer({ name: 'n', version: '1', tools: [titled] }), version);
  expect(await listed(wire)).toMatchObject([{ name: 'titled', title: 'Has a Title' }]);
});
