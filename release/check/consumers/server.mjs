// A server on stdin and stdout, for Node (as an ES module), Deno and Bun.
import { defineServer, defineTool, jsonSchema } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: jsonSchema(
    { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    (value) => value,
  ),
  run: ({ a, b }) => String(a + b),
});

await serveStdio(defineServer({ name: 'adder', version: '1.0.0', tools: [add] }));
