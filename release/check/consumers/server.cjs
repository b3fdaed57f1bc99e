// The same server as a CommonJS module: Node requires ES modules since 20.19.
const { defineServer, defineTool, jsonSchema } = require('@mcp/protocol');
const { serveStdio } = require('@mcp/protocol/stdio');

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: jsonSchema(
    { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    (value) => value,
  ),
  run: ({ a, b }) => String(a + b),
});

void serveStdio(defineServer({ name: 'adder', version: '1.0.0', tools: [add] }));
