import { Client, serverAt } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { run } from './run.mjs';

await run(async ({ url, command, args }) => {
  const server = url ? serverAt(url) : serverCommand({ command, args });
  const client = await Client.connect(server, { revision: url ? '2026-07-28' : '2025-11-25' });
  return { call: (name, given) => client.callTool(name, given), close: () => client.close() };
});
