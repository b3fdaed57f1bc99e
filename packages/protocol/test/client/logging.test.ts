import { expect, test } from 'vitest';
import { connectTo, metaOf, newest, paramsOf, ScriptedPeer } from './scripted-peer.ts';

const message = { level: 'warning', logger: 'db', data: { slow: true } };

test.each(['2024-11-05', '2025-11-25', newest])(
  'log messages are passed to the host (%s)',
  async (version) => {
    const peer = new ScriptedPeer(version);
    const messages: unknown[] = [];
    const warnings: string[] = [];
    await using client = await connectTo(peer, version, {
      onLog: (each) => messages.push(each),
      onWarning: (each) => warnings.push(each),
    });
    peer.send({ method: 'notifications/message', params: message });
    peer.send({ method: 'notifications/message', params: { ...message, level: 'loud' } });
    await client.callTool('any');
    expect(messages).toEqual([message]);
    expect(warnings).toEqual(['Invalid "level" in a log message of the server']);
  },
);

test('at 2026-07-28 each request has the log level', async () => {
  const peer = new ScriptedPeer(newest);
  await using client = await connectTo(peer, newest, { logLevel: 'error' });
  await client.callTool('any');
  await client.setLogLevel('debug');
  await client.callTool('any');
  const levels = peer.of('tools/call').map((call) => metaOf(call)['io.modelcontextprotocol/logLevel']);
  expect(levels).toEqual(['error', 'debug']);
  expect(peer.of('logging/setLevel')).toEqual([]);
});

test('up to 2025-11-25 the log level is set on each connection', async () => {
  const version = '2025-11-25';
  const capabilities = { logging: {} };
  const serverInfo = { name: 's', version: '1' };
  const peer = new ScriptedPeer(version, {
    initialize: () => ({ result: { protocolVersion: version, capabilities, serverInfo } }),
    'logging/setLevel': () => ({ result: {} }),
  });
  await using client = await connectTo(peer, version, { logLevel: 'error' });
  await client.setLogLevel('debug');
  await peer.crash();
  await client.callTool('any');
  const levels = peer.of('logging/setLevel').map((request) => paramsOf(request)['level']);
  expect(levels).toEqual(['error', 'debug', 'debug']);
});
