import { expect } from 'vitest';
import { defineTool } from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

requirement('PING-01', 'ping is answered at once while other requests run', async (version) => {
  const slow = defineTool({
    name: 'slow',
    description: 'Never ends.',
    run: () => new Promise<string>(() => {}),
  });
  const wire = await Wire.open(example({ tools: [slow] }), version);
  const running = wire.send('tools/call', { name: 'slow' });
  const id = wire.send('ping');
  expect(await wire.raw.next()).toEqual({ jsonrpc: '2.0', id, result: {} });
  wire.notify('notifications/cancelled', { requestId: running });
  await wire.raw.end();
});

requirement('PING-03', 'ping does not exist', async (version) => {
  const wire = await Wire.open(example(), version);
  expect(await wire.error('ping')).toEqual({
    code: -32601,
    message: 'No method "ping" in protocol version 2026-07-28',
  });
});
