import { expect } from 'vitest';
import { defineTool, jsonSchema } from '@mcp/protocol';
import { ClientError } from '@mcp/protocol/client';
import { Client, memoryChannels } from '@mcp/protocol/testing';
import { scriptedServer } from './scripted-server.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';
import { failing, server } from './rpc-server.ts';

requirement('RPC-21', 'each mistake has its code', async (version) => {
  const broken = defineTool({
    name: 'broken',
    description: 'Breaks its own word.',
    outputSchema: jsonSchema<object>({ type: 'object' }, () => {
      throw new Error('Never right');
    }),
    run: () => ({}),
  });
  const wire = await Wire.open(example({ tools: [broken] }), version);
  expect(await wire.raw.ask('not json')).toMatchObject({ error: { code: -32700 } });
  expect(await wire.raw.ask('{"jsonrpc":"2.0"')).toMatchObject({ error: { code: -32700 } });
  for (const invalid of ['5', '"text"', 'null', '{}']) {
    expect(await wire.raw.ask(invalid)).toMatchObject({ error: { code: -32600 } });
  }
  expect(await wire.error('nothing/here')).toMatchObject({ code: -32601 });
  expect(await wire.error('tools/call')).toMatchObject({ code: -32602 });
  expect(await wire.error('tools/call', { name: 'broken' })).toMatchObject({ code: -32603 });
});

requirement(
  ['RPC-22', 'RPC-23', 'RPC-25', 'RPC-27'],
  'a reserved code that an author throws becomes an internal error',
  async (version) => {
    const codes = [-32000, -32001, -32019, -32023, -32042, -32099];
    const wire = await Wire.open(example({ tools: codes.map(failing) }), version);
    for (const code of codes) {
      expect(await wire.error('tools/call', { name: `fail_${-code}` })).toEqual({
        code: -32603,
        message: 'No',
      });
    }
  },
);

requirement(
  'RPC-27',
  'the legacy code of a missing resource becomes an invalid parameter',
  async (version) => {
    const wire = await Wire.open(example({ tools: [failing(-32002)] }), version);
    expect(await wire.error('tools/call', { name: 'fail_32002' })).toEqual({ code: -32602, message: 'No' });
  },
);

requirement('RPC-24', 'a client gives no meaning to a code of the legacy range', async (version) => {
  const [ours, theirs] = memoryChannels();
  scriptedServer(theirs, ({ method }) =>
    method === 'server/discover'
      ? { result: { resultType: 'complete', supportedVersions: [version], capabilities: {} } }
      : { error: { code: -32001, message: 'Something of our own' } },
  );
  await using client = await Client.connect(ours);
  const failed = client.callTool('anything');
  await expect(failed).rejects.toThrow(ClientError);
  await expect(failed).rejects.toMatchObject({ code: -32001, cause: { message: 'Something of our own' } });
  expect(client.revision).toBe(version);
});

requirement('RPC-26', 'the defined error codes have their data', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.error('tools/call', { name: 'ask' })).toEqual({
    code: -32021,
    message: 'The request requires the client capability "elicitation"',
    data: { requiredCapabilities: { elicitation: { form: {} } } },
  });
  const future = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  expect(await wire.error('tools/list', {}, future)).toMatchObject({
    code: -32022,
    data: { supported: expect.arrayContaining([version]), requested: '2099-01-01' },
  });
});

requirement('RPC-28', 'an error code outside the reserved range is sent unchanged', async (version) => {
  const wire = await Wire.open(example({ tools: [failing(-1), failing(-31999)] }), version);
  expect(await wire.error('tools/call', { name: 'fail_1' })).toEqual({ code: -1, message: 'No' });
  expect(await wire.error('tools/call', { name: 'fail_31999' })).toEqual({ code: -31999, message: 'No' });
});
