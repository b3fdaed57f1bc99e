import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { run } from './run.mjs';

await run(async ({ url, command, args }) => {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command, args });
  await client.connect(transport);
  return { call: (name, given) => client.callTool({ name, arguments: given }), close: () => client.close() };
});
