import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  server.registerTool(
    'echo',
    {
      description: 'Gives back what it is given, as often as asked.',
      inputSchema: z.object({ text: z.string(), times: z.int().optional() }),
    },
    ({ text, times = 1 }) => ({ content: [{ type: 'text', text: text.repeat(times) }] }),
  );
  return server;
});
