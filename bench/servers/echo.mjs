import { defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import { z } from 'zod';

// Usage: echo.mjs [wrapped]; with the argument, a function runs around each handler.

const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is given, as often as asked.',
  inputSchema: z.object({ text: z.string(), times: z.int().optional() }),
  run: ({ text, times = 1 }) => text.repeat(times),
});

const wrap = process.argv[2] === 'wrapped' ? [(_, next) => next()] : [];

await serveStdio(defineServer({ name: 'echo', version: '1.0.0', tools: [echo], wrap }));
