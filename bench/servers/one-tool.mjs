// A server with one tool, named by its argument; with "hang" it never answers.
import { createInterface } from 'node:readline';

const name = process.argv[2];
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'one-tool', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name, description: 'Does nothing', inputSchema: { type: 'object' } }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || name === 'hang') return;
  // An unknown revision gets an error, as an older server gives it.
  const result = results[method]?.(params);
  const body = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
