import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

// Usage: http-sdk-v2.mjs <number of tools>; writes its address.

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  for (let index = 0; index < Number(process.argv[2]); index++) {
    server.registerTool(
      index === 0 ? 'echo' : `echo_${index}`,
      { description: 'Gives back what it is given.', inputSchema: z.object({ text: z.string() }) },
      ({ text }) => ({ content: [{ type: 'text', text }] }),
    );
  }
  return server;
});
const handle = toNodeHandler(handler);
const listener = createServer((request, response) => void handle(request, response));
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
