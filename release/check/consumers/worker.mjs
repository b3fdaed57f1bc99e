// A server and a client for a runtime with the fetch API: a worker in workerd, `deno serve` and `bun`.
import { defineServer, defineTool, jsonSchema } from '@mcp/protocol';
import { Client, serverAt } from '@mcp/protocol/client';
import { webHandler } from '@mcp/protocol/web';
import { memoryState } from '@mcp/protocol/state';
import { createTasks } from '@mcp/protocol/tasks';

const state = memoryState();

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  task: 'optional',
  inputSchema: jsonSchema(
    { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    (value) => value,
  ),
  async run({ a, b }, { asTask }) {
    await asTask('Adding');
    await state.increment('sums');
    return String(a + b);
  },
});

const relay = defineTool({
  name: 'relay',
  description: 'Lets another server add two numbers.',
  inputSchema: jsonSchema(
    { type: 'object', properties: { url: { type: 'string' }, revision: { type: 'string' } } },
    (value) => value,
  ),
  async run({ url, revision }) {
    const client = await Client.connect(serverAt(url), { revision });
    const { content } = await client.callTool('add', { a: 1, b: 2 });
    await client.close();
    return content;
  },
});

const { fetch } = webHandler(
  defineServer({ name: 'adder', version: '1.0.0', tools: [add, relay], tasks: createTasks() }),
);

export default { fetch: (request) => fetch(request) };
