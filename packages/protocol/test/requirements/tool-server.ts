import { z } from 'zod';
import { defineTool } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { example, type Wire } from './wire.ts';

export const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });

export const nothing = defineTool({ name: 'nothing', description: 'Says nothing.', run: () => undefined });

export const add = defineTool({
  name: 'add',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
  outputSchema: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
});

export const fail = defineTool({
  name: 'fail',
  description: 'Fails.',
  run: () => {
    throw new Error('No such file: "missing.txt"');
  },
});

export const server = example({ tools: [hello, nothing, add, fail] });

export async function listed(wire: Wire): Promise<JsonObject[]> {
  return (await wire.result('tools/list'))['tools'] as JsonObject[];
}
