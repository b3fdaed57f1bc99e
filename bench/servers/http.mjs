import { defineServer, defineTool } from '@mcp/protocol';
import { serveHttp } from '@mcp/protocol/http';
import * as z from 'zod';

// Usage: http.mjs <number of tools>; writes its address.

const tools = Array.from({ length: Number(process.argv[2]) }, (_, index) =>
  defineTool({
    name: index === 0 ? 'echo' : `echo_${index}`,
    description: 'Gives back what it is given.',
    inputSchema: z.object({ text: z.string() }),
    run: ({ text }) => text,
  }),
);
const { url } = await serveHttp(defineServer({ name: 'echo', version: '1.0.0', tools }));
console.log(url);
