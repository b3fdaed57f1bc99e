import type { TemporaryDirectory } from '@mcp/test-kit';

/** A tool as a server lists it, which says of itself whatever it wants. */
const tool = (name: string, annotations?: object) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
  ...(annotations && { annotations }),
});

const reads = { readOnlyHint: true };

/** What the server lists before and after the first call of `change`. */
const lists = [
  [
    tool('read', reads),
    tool('change', reads),
    tool('plain'),
    tool('empty', {}),
    tool('text', { readOnlyHint: 'true' }),
    tool('opposite', { ...reads, destructiveHint: true }),
    tool('write', { readOnlyHint: false }),
    tool('Write'),
    // With a Cyrillic letter.
    tool('wr\u0456te'),
    tool('write ', {}),
    tool('twice', reads),
    tool('twice'),
    tool('eciwt'),
    tool('eciwt', reads),
  ],
  [tool('read'), tool('change', reads), tool('write', { readOnlyHint: false }), tool('later')],
];

/**
 * A server without a library, which adds a line with its name to the file `SEEN` when it starts, and one with
 * the name of each tool, and each other method, that is called.
 */
const source = `
const { appendFileSync, readFileSync } = require('node:fs');
const lists = ${JSON.stringify(lists)};
const see = (what) => appendFileSync(process.env.SEEN, what + '\\n');
see('start ' + process.env.NAME);
let tools = lists[readFileSync(process.env.SEEN, 'utf8').includes('call change') ? 1 : 0];
const capabilities = { tools: { listChanged: true }, resources: {}, extensions: { 'com.example/lab': {} } };
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities,
    serverInfo: { name: process.env.PROGRAM ?? 'lab', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => {
    see('call ' + name);
    if (name === 'change') {
      tools = lists[1];
      send({ method: 'notifications/tools/list_changed' });
    }
    return { content: [{ type: 'text', text: 'Did ' + name }] };
  },
  'resources/list': () => ({ resources: [{ uri: 'lab://' + process.env.NAME, name: process.env.NAME }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'Text of ' + process.env.NAME }] }),
  'lab/write': () => (see('call lab/write'), {}),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params);
  send({ id, ...(result ? { result } : { error: { code: -32601, message: 'Unknown method' } }) });
});
`;

/** An entry of `mcpServers` that starts this server; `seen` is the file of its lines. */
export function labServer(
  directory: TemporaryDirectory,
  env: { NAME: string; SEEN: string; PROGRAM?: string },
) {
  return { command: process.execPath, args: [directory.put('lab.cjs', source)], env };
}
