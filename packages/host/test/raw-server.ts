import type { TemporaryDirectory } from '@mcp/test-kit';

const common = {
  initialize: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"raw","version":"1"}}`,
  'tools/list': '{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}',
  'prompts/list': '{"prompts":[{"name":"p"}]}',
};

/** An entry of a server whose results are these texts of JSON: by method, and for a resource by its URI. */
export function rawServer(directory: TemporaryDirectory, results: Readonly<Record<string, string>>) {
  const source = `
const results = ${JSON.stringify({ ...common, ...results })};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const text = results[params?.uri ?? method];
  const answer = text ? '"result":' + text : '"error":{"code":-32601,"message":"Unknown"}';
  if (id !== undefined) console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + answer + '}');
});
`;
  return { command: process.execPath, args: [directory.put('raw-server.cjs', source)] };
}
