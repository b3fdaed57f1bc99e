import type { TemporaryDirectory } from '@mcp/test-kit';

/**
 * A server without a library, for tests that start many: its tools are the words of `TOOLS`,
 * with the schema `SCHEMA`; `echo` answers with its arguments, `pointer` with a text that points to its
 * structured content, which they are, and each other with the process id. Clients that declare elicitation
 * also see those of `ASKING_TOOLS`. `HANG` says where the server stops answering:
 * at the handshake, at the list or at a call; it creates the file `REACHED` there. With `FIFO` it ignores
 * SIGTERM and the end of its stdin, and holds that file open as long as it lives. It writes `NOISE` on
 * stdout. `LISTS` has the tools of each list that it gives, with `|` between them, of which the last one
 * stays.
 */
const source = `
const { TOOLS = 'pid', SCHEMA = '{"type":"object"}', ASKING_TOOLS, HANG, REACHED, FIFO, NOISE, LISTS } = process.env;
const lists = LISTS?.split('|') ?? [];
const hang = () => REACHED && require('node:fs').writeFileSync(REACHED, '');
if (NOISE) console.log(NOISE);
if (FIFO) {
  require('node:fs').openSync(FIFO, 'w');
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
const toolsOf = (names) =>
  names.split(' ').filter(Boolean).map((name) => ({ name, description: 'Does ' + name, inputSchema: JSON.parse(SCHEMA) }));
let tools = toolsOf(TOOLS);
const capabilities = { tools: { listChanged: true } };
const serverInfo = { name: 'small', version: '1' };
const texts = { echo: JSON.stringify, pointer: () => 'The answer is in structuredContent' };
const results = {
  initialize: ({ capabilities: declared }) => {
    if (ASKING_TOOLS && declared.elicitation) tools = toolsOf(TOOLS + ' ' + ASKING_TOOLS);
    return { protocolVersion: '2025-11-25', capabilities, serverInfo };
  },
  'tools/list': () => ({ tools: lists.length > 0 ? toolsOf(lists.length > 1 ? lists.shift() : lists[0]) : tools }),
  'tools/call': ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: texts[name]?.(args) ?? String(process.pid) }],
    ...(name === 'pointer' && { structuredContent: args }),
  }),
  environment: () => ({ environment: process.env }),
  ping: () => ({}),
};
if (HANG === 'handshake') setInterval(hang, 100);
else require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (HANG !== undefined && method === 'tools/' + HANG) return void hang();
  const result = results[method]?.(params);
  const body = result ? { result } : { error: { code: -32601, message: 'Unknown method' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;

/** An entry of `mcpServers` that starts the small server from a script in \`directory\`. */
export function smallServer(directory: TemporaryDirectory, env: Readonly<Record<string, string>> = {}) {
  return { command: process.execPath, args: [directory.put('small-server.cjs', source)], env };
}
