import { defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import * as z from 'zod';

// Usage: many-tools.mjs <number of tools>

const tools = Array.from({ length: Number(process.argv[2]) }, (_, index) =>
  defineTool({
    name: `echo_${index}`,
    description: 'Gives back what it is given, as often as asked.',
    inputSchema: z.object({ text: z.string(), times: z.int().min(1).optional() }),
    run: ({ text, times = 1 }) => text.repeat(times),
  }),
);

await serveStdio(defineServer({ name: 'many-tools', version: '1.0.0', tools }));
