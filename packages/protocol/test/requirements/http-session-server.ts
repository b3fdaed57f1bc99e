import { z } from 'zod';
import { defineTool } from '@mcp/protocol';
import type { HttpWire } from '../http/http-wire.ts';
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
  run: (_, { progress }) => (progress(1, 2), progress(2, 2), 'Done'),
});

export const server = example({ tools: [echo, steps] });

export const speaks = (version: string) => ({ primed: version === '2025-11-25' });

export const text = (said: string) => ({ content: [{ type: 'text', text: said }] });

export const begins = (wire: HttpWire, name: string, progressToken: string) =>
  wire.send(wire.request('tools/call', { name }, { progressToken }));
