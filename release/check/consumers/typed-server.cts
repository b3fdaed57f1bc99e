// The same server as a CommonJS module in TypeScript, with types and classes of the package as values.
import { defineServer, defineTool, jsonSchema, LiveList, type Prompt, ToolError } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';

interface Numbers {
  readonly a: number;
  readonly b: number;
}

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: jsonSchema<Numbers>(
    { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    (value) => value as Numbers,
  ),
  run({ a, b }) {
    if (!Number.isFinite(a + b)) throw new ToolError('The sum is too large');
    return String(a + b);
  },
});

const prompts: LiveList<Prompt<object>> = new LiveList();

void serveStdio(defineServer({ name: 'adder', version: '1.0.0', tools: [add], prompts }));
