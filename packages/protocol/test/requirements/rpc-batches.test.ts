import { expect } from 'vitest';
import { defineTool, inputRequired, listRoots } from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, initialize, Wire } from './wire.ts';
import { server } from './rpc-server.ts';

requirement(
  'RPC-14',
  'an array of requests is answered with an array of their responses',
  async (version) => {
    const wire = await Wire.open(server, version);
    expect(
      await wire.raw.ask([
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
        {
          jsonrpc: '2.0',
          id: 'two',
          method: 'tools/call',
          params: { name: 'echo', arguments: { text: 'x' } },
        },
        7,
      ]),
    ).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'two', result: { content: [{ type: 'text', text: 'x' }] } },
      { jsonrpc: '2.0', error: { code: -32600, message: 'A message must be a JSON object' } },
    ]);
  },
);

requirement(
  'RPC-14',
  'an array of notifications is not answered, an empty one is refused',
  async (version) => {
    const wire = await Wire.open(server, version);
    wire.raw.send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect(await wire.raw.ask([])).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'A batch must have at least one message' },
    });
  },
);

requirement('RPC-14', 'an array may contain responses to requests of the server', async (version) => {
  const roots = defineTool({
    name: 'roots',
    description: 'Asks.',
    run: (_, { inputs }) => (inputs['roots'] ? 'Got them' : inputRequired({ roots: listRoots() })),
  });
  const wire = await Wire.open(example({ tools: [roots] }), version, { capabilities: { roots: {} } });
  wire.raw.send([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'roots' } }]);
  const { id } = await wire.nextFromServer();
  expect(await wire.raw.ask([{ jsonrpc: '2.0', id, result: { roots: [] } }])).toEqual([
    { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Got them' }] } },
  ]);
});

requirement('RPC-15', 'initialize is refused inside an array, the rest is served', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.raw.ask([initialize(1, version), { jsonrpc: '2.0', id: 2, method: 'ping' }])).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'initialize must not be part of a batch' } },
    { jsonrpc: '2.0', id: 2, result: {} },
  ]);
});

requirement('RPC-16', 'an array is refused as a whole', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.raw.ask([wire.request('tools/list'), wire.request('tools/list')])).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Send one message at a time, not an array of them' },
  });
});
