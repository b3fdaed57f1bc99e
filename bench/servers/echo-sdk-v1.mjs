import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'echo', version: '1.0.0' });
server.registerTool(
  'echo',
  {
    description: 'Gives back what it is given, as often as asked.',
    inputSchema: { text: z.string(), times: z.int().optional() },
  },
  ({ text, times = 1 }) => ({ content: [{ type: 'text', text: text.repeat(times) }] }),
);
await server.connect(new StdioServerTransport());
