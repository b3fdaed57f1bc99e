import type { TemporaryDirectory } from '@mcp/test-kit';

/**
 * A server without a library, for tests that start many: its tools are the words of `TOOLS`, and each answers with the
 * process id. `HANG` says where the server stops answering: at the handshake or at the list. With `FIFO` it ignores
 * SIGTERM and the end of its stdin, and holds that file open as long as it lives. It writes `NOISE` on stdout.
 */
const source = `
const { TOOLS = 'pid', HANG, FIFO, NOISE } = process.env;
if (NOISE) console.log(NOISE);
if (FIFO) {
  require('node:fs').openSync(FIFO, 'w');
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
const tools = TOOLS.split(' ').map((name) => ({ name, description: 'Does ' + name, inputSchema: { type: 'object' } }));
const capabilities = { tools: { listChanged: true } };
const serverInfo = { name: 'small', version: '1' };
const results = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities, serverInfo }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: String(process.pid) }] }),
  environment: () => ({ environment: process.env }),
  ping: () => ({}),
};
if (HANG === 'handshake') setInterval(() => {}, 1000);
else require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined || (HANG === 'list' && method === 'tools/list')) return;
  const result = results[method]?.();
  const body = result ? { result } : { error: { code: -32601, message: 'Unknown method' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;

/** An entry of `mcpServers` that starts the small server from a script in \`directory\`. */
export function smallServer(directory: TemporaryDirectory, env: Readonly<Record<string, string>> = {}) {
  return { command: process.execPath, args: [directory.put('small-server.cjs', source)], env };
}
