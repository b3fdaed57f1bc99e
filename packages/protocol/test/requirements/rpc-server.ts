import { z } from 'zod';
import { defineTool, elicit, inputRequired, RpcError } from '@mcp/protocol';
import { example } from './wire.ts';

export const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  inputSchema: z.object({ text: z.string() }),
  run: ({ text }) => text,
});

export const ask = defineTool({
  name: 'ask',
  description: 'Asks twice before it answers.',
  run: (_, { inputs }) =>
    inputs['second']
      ? 'Asked twice'
      : inputRequired({ [inputs['first'] ? 'second' : 'first']: elicit('Go on?', z.object({})) }),
});

export const failing = (code: number) =>
  defineTool({
    name: `fail_${-code}`,
    description: 'Fails.',
    run: () => {
      throw new RpcError(code, 'No');
    },
  });

export const server = example({ tools: [echo, ask] });
