import { z } from 'zod';
import { defineResource, defineTool, definePrompt, elicit, inputRequired } from '@mcp/protocol';
import { example } from './wire.ts';

export const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  inputSchema: z.object({ text: z.string() }),
  run: ({ text }) => text,
});

export const steps = defineTool({
  name: 'steps',
  description: 'Tells of each step.',
  run: (_, { progress, log }) => (progress(1, 2), log('info', 'Half'), progress(2, 2), 'Done'),
});

export const ask = defineTool({
  name: 'ask',
  description: 'Asks first.',
  run: (_, { inputs }) => (inputs['it'] ? 'Thank you' : inputRequired({ it: elicit('Well?', z.object({})) })),
});

export const page = defineResource({
  uri: 'page:///{name}',
  name: 'page',
  read: ({ name }) => `Page ${name}`,
});

export const plain = definePrompt({ name: 'plain', description: 'Says hello.', run: () => 'Hello' });

export const parts = { tools: [echo, steps, ask], resources: [page], prompts: [plain], logging: true };

export const server = example(parts);

export const mismatch = (message: string) => ({ code: -32020, message });
