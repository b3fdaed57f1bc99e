import { defineServer, defineTool, elicit, inputRequired } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';

const form = z.object({ name: z.string() });

const greet = defineTool({
  name: 'greet',
  description: 'Greets the user.',
  run: (_, { inputs }) => (inputs['name'] ? 'Hello' : inputRequired({ name: elicit('Who are you?', form) })),
});

const server = defineServer({ name: 'greeter', version: '1.0.0', tools: [greet] });

test('a forwarded call returns the input that the server requires instead of providing it', async () => {
  await using client = await connect(server, { elicit: () => Promise.reject(new Error('not called')) });
  const result = await client.forward('tools/call', { name: 'greet', arguments: {} });
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { name: { method: 'elicitation/create' } },
  });
});

test('a request declares the capabilities of its own identity', async () => {
  await using client = await connect(server);
  const call = { name: 'greet', arguments: {} };
  await expect(client.forward('tools/call', call)).rejects.toMatchObject({ code: -32021 });
  const identity = {
    info: { name: 'other', version: '1' },
    capabilities: { elicitation: {} },
    logLevel: undefined,
  };
  const result = await client.forward('tools/call', call, { identity });
  expect(result['resultType']).toBe('input_required');
});

test('a host with `answer` declares the given capabilities and gets requests as they were sent', async () => {
  const received: unknown[] = [];
  await using client = await connect(server, {
    revision: '2025-11-25',
    capabilities: { elicitation: { form: {} } },
    answer(method, params) {
      received.push([method, params]);
      return Promise.resolve({ action: 'decline', _meta: { kept: true } });
    },
  });
  expect(await client.forward('tools/call', { name: 'greet', arguments: {} })).toEqual({
    content: [{ type: 'text', text: 'Hello' }],
  });
  expect(received).toEqual([
    ['elicitation/create', expect.objectContaining({ mode: 'form', message: 'Who are you?' })],
  ]);
});
