import { join } from 'node:path';
import { connect } from '@mcp/protocol/testing';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../../src/gateway/gateway.ts';
import { openServers } from '../../src/open-servers.ts';

/** A server that asks for the roots of its client before it lists its tools: one for each. */
const server = `
let waiting;
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'rooted', version: '1' },
  }),
  'tools/list': (id) => void send({ id: (waiting = id) + 1_000, method: 'roots/list' }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, result } = JSON.parse(line);
  if (result) {
    const tools = result.roots.map(({ name }) => ({ name, inputSchema: { type: 'object' } }));
    send({ id: waiting, result: { tools } });
  } else if (id !== undefined) {
    const found = results[method];
    const answer = found ? found(id) : undefined;
    if (answer || !found) send({ id, ...(answer ? { result: answer } : { error: { code: -32601, message: 'No' } }) });
  }
});
`;

test('a handshake does not wait for a server that needs the roots of the client for its tools', async () => {
  const directory = new TemporaryDirectory('gateway-roots');
  onTestFinished(() => directory[Symbol.dispose]());
  const rooted = { command: process.execPath, args: [directory.put('server.cjs', server)] };
  const file = directory.put('mcp.json', JSON.stringify({ mcpServers: { rooted } }));
  const [state, cache] = [join(directory.base, 'state'), join(directory.base, 'cache')];
  await using servers = openServers({ load: { files: [file] }, directories: { state, cache } });
  // Longer than the test may take.
  const listWaitMs = 600_000;
  const warn = (message: string) => process.emitWarning(message);
  await using gateway = new Gateway({ servers, names: ['rooted'], version: '1', listWaitMs, warn });
  await using client = await connect(gateway.server, {
    protocolVersion: '2025-11-25',
    roots: () => Promise.resolve([{ uri: 'file:///work', name: 'work' }]),
  });
  expect(client.instructions).toContain('rooted: still starting');
  expect(client.capabilities['tools']).toEqual({ listChanged: true });
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['rooted__work']);
});
