import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { run } from './run.mjs';

await run(async ({ url, command, args }) => {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    url
      ? { versionNegotiation: { mode: { pin: '2026-07-28' } } }
      : { supportedProtocolVersions: ['2025-11-25'] },
  );
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command, args });
  await client.connect(transport);
  return { call: (name, given) => client.callTool({ name, arguments: given }), close: () => client.close() };
});
