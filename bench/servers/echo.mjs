import { defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import { z } from 'zod';

const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is given, as often as asked.',
  inputSchema: z.object({ text: z.string(), times: z.int().optional() }),
  run: ({ text, times = 1 }) => text.repeat(times),
});

await serveStdio(defineServer({ name: 'echo', version: '1.0.0', tools: [echo] }));
