// A server for a runtime with the fetch API: a worker in workerd, `deno serve` and `bun`.
import { defineServer, defineTool, jsonSchema } from '@mcp/protocol';
import { fetchHandler } from '@mcp/protocol/fetch';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: jsonSchema(
    { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    (value) => value,
  ),
  run: ({ a, b }) => String(a + b),
});

const { fetch } = fetchHandler(defineServer({ name: 'adder', version: '1.0.0', tools: [add] }));

export default { fetch: (request) => fetch(request) };
