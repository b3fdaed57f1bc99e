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
  'tools/call': () => ({ content: [{ type: 'text', text: 'called' }] }),
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

const options = { roots: () => Promise.resolve([{ uri: 'file:///work', name: 'work' }]) };

/** A gateway in front of that server. A list waits for it longer than a test may take. */
async function startedGateway(): Promise<Gateway> {
  const directory = new TemporaryDirectory('gateway-roots');
  const rooted = { command: process.execPath, args: [directory.put('server.cjs', server)] };
  const file = directory.put('mcp.json', JSON.stringify({ mcpServers: { rooted } }));
  const [state, cache] = [join(directory.base, 'state'), join(directory.base, 'cache')];
  const servers = await openServers({ load: { files: [file] }, directories: { state, cache } });
  const warn = (message: string) => process.emitWarning(message);
  const gateway = new Gateway(['rooted'], { servers, version: '1', listWaitMs: 600_000, warn });
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]();
    await servers[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });
  return gateway;
}

test('a handshake does not wait for a server that needs the roots of the client for its tools', async () => {
  await using client = await connect((await startedGateway()).server, {
    ...options,
    revision: '2025-11-25',
  });
  expect(client.instructions).toContain('rooted: still starting');
  expect(client.capabilities['tools']).toEqual({ listChanged: true });
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['rooted__work']);
});

test('a call of 2026-07-28 brings the roots that an older server needs for its tools', async () => {
  await using client = await connect((await startedGateway()).server, {
    ...options,
    revision: '2026-07-28',
  });
  expect(await client.callTool('rooted__work')).toMatchObject({ content: [{ text: 'called' }] });
});
