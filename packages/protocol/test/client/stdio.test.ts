import { Client } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { requirement } from './requirement.ts';
import { Recording } from './recording.ts';
import { connectTo, newest, paramsOf, ScriptedPeer, text } from './scripted-peer.ts';
import { sessionScript, statelessScript } from './scripted-server.ts';

const overStdio = (version: string, code: string, options: object = {}) =>
  Client.connect(version === newest ? statelessScript(code) : sessionScript(code), {
    revision: version,
    backoff: { minMs: 10, maxMs: 50 },
    ...options,
  });
/** Has a script agree on the revision that is tested. */
const speaking = (version: string) =>
  `on.initialize = () => ({ protocolVersion: '${version}', capabilities: {}, serverInfo: { name: 's', version: '1' } });`;

requirement(['STDIO-03', 'STDIO-16'], 'each line on stdin is one valid message', async (version) => {
  const code = `${version === newest ? '' : speaking(version)}
    const raw = []; lines.on('line', (line) => raw.push(line));
    on.raw = () => ({ raw });`;
  await using client = await overStdio(version, code);
  await client.callTool('any', { text: 'a\nb\u2028c' });
  const { raw } = (await client.request('raw')) as { raw: string[] };
  expect(raw.length).toBeGreaterThan(1);
  for (const line of raw)
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', method: expect.any(String) });
});

requirement('STDIO-05', 'output on stderr is no error', async (version) => {
  const code = `${version === newest ? '' : speaking(version)} console.error('ERROR: failed');`;
  await using client = await overStdio(version, code);
  expect(await client.callTool('any')).toMatchObject(text('done'));
});

requirement(['LIFE-14'], 'closing closes stdin, waits, and then sends SIGTERM', async (version) => {
  const code = `${speaking(version)}
    on.pid = () => ({ pid: process.pid });
    process.stdin.on('end', () => setTimeout(() => process.exit(), 50));`;
  const client = await overStdio(version, code);
  const { pid } = await client.request('pid');
  const started = performance.now();
  await client.close();
  expect(performance.now() - started).toBeGreaterThan(40);
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
});

requirement('STDIO-13', 'closing ends a server that ignores the end of its input', async (version) => {
  const code = `${version === newest ? '' : speaking(version)}
    on.pid = () => ({ pid: process.pid }); setInterval(() => {}, 1000);`;
  const client = await overStdio(version, code);
  const { pid } = await client.request('pid');
  await client.close();
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
});

requirement(
  ['STDIO-08', 'SUB-11'],
  'notifications go to the subscription that their id names',
  async (version) => {
    const ids: unknown[] = [];
    const peer = new ScriptedPeer(version, {
      'subscriptions/listen': ({ id, params }) => {
        ids.push(id);
        const { notifications } = params as { notifications: unknown };
        peer.send(notification('notifications/subscriptions/acknowledged', id, { notifications }));
        return undefined;
      },
    });
    const notification = (method: string, id: unknown, params: object = {}) => ({
      method,
      params: { ...params, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
    });
    await using client = await connectTo(peer, version);
    const received: string[] = [];
    await client.subscribe('x:///a', () => received.push('a'));
    await client.subscribe('x:///b', () => received.push('b'));
    peer.send(notification('notifications/resources/updated', ids[1], { uri: 'x:///b' }));
    peer.send(notification('notifications/resources/updated', 'unknown', { uri: 'x:///a' }));
    peer.send(notification('notifications/resources/updated', ids[0], { uri: 'x:///a' }));
    await client.listTools();
    expect(received).toEqual(['b', 'a']);
  },
);

requirement(['STDIO-11', 'CANC-14'], 'a call is cancelled by a notification with its id', async (version) => {
  const peer = new ScriptedPeer(version, { 'tools/call': () => undefined });
  await using client = await connectTo(peer, version);
  const signal = AbortSignal.timeout(20);
  await expect(client.callTool('any', {}, { signal })).rejects.toThrow();
  const [call] = peer.of('tools/call');
  expect(peer.of('notifications/cancelled').map(paramsOf)).toMatchObject([{ requestId: call?.['id'] }]);
});

const acknowledging = `on['subscriptions/listen'] = ({ notifications }, id) => {
    send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } } });
  };
  on.die = () => process.exit(9); on.pid = () => ({ pid: process.pid });`;

requirement(
  ['STDIO-14', 'SUB-08'],
  'a server that has crashed is started again and its resources are subscribed again',
  async (version) => {
    await using client = await overStdio(version, acknowledging);
    const updates = new Recording();
    const stop = await client.subscribe('x:///', updates.add);
    const { pid } = await client.request('pid');
    await expect(client.request('die')).rejects.toMatchObject({
      phase: 'call',
      message: expect.stringContaining('exit code 9'),
    });
    // The client may have missed a change, and so reports one.
    await updates.has(1);
    expect((await client.request('pid'))['pid']).not.toBe(pid);
    await stop();
  },
);

test('after a lost connection the subscriptions of a session are made again', async () => {
  const peer = new ScriptedPeer('2025-11-25', {
    'resources/subscribe': () => ({ result: {} }),
    'resources/unsubscribe': () => ({ result: {} }),
  });
  await using client = await connectTo(peer, '2025-11-25');
  const updates = new Recording();
  const stop = await client.subscribe('x:///', updates.add);
  await peer.crash();
  await updates.has(1);
  expect(peer.of('resources/subscribe')).toHaveLength(2);
  peer.send({ method: 'notifications/resources/updated', params: { uri: 'x:///' } });
  await updates.has(2);
  await stop();
  expect(peer.of('resources/unsubscribe')).toHaveLength(1);
});

test('a subscriber is notified once when its subscription has ended for good', async () => {
  let first = true;
  const peer = new ScriptedPeer('2025-11-25', {
    'resources/subscribe': () => {
      if (!first) return { error: { code: -32602, message: 'Gone' } };
      first = false;
      return { result: {} };
    },
  });
  await using client = await connectTo(peer, '2025-11-25');
  const lost = new Recording<Error>();
  await client.subscribe('x:///', () => {}, { onLost: lost.add });
  await peer.crash();
  await lost.has(1);
  expect(lost.events.map(({ message }) => message)).toEqual(['Gone']);
});

requirement(
  'SUB-06',
  'a resource that is not acknowledged is an error, and a list a warning',
  async (version) => {
    const warnings: string[] = [];
    const peer = new ScriptedPeer(version, {
      'subscriptions/listen': ({ id }) => {
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        peer.send({
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: {}, _meta },
        });
        return undefined;
      },
    });
    await using client = await connectTo(peer, version, { onWarning: (message) => warnings.push(message) });
    await expect(client.subscribe('x:///', () => {})).rejects.toThrow(
      'no notifications of changes of "x:///"',
    );
    await client.watchList('tools', () => {});
    expect(warnings).toEqual(['The server sends no notifications of changes of the list of tools']);
  },
);

test('a notification stream that the server ends is opened again, and the listener is called', async () => {
  const peer = new ScriptedPeer(newest, {
    'subscriptions/listen': ({ id, params }) => {
      const { notifications } = params as { notifications: unknown };
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      peer.send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } });
      return undefined;
    },
  });
  await using client = await connectTo(peer, newest);
  const changes = new Recording();
  const stop = await client.watchList('tools', changes.add);
  peer.send({ id: peer.of('subscriptions/listen')[0]?.['id'], result: {} });
  await changes.has(1);
  expect(peer.of('subscriptions/listen')).toHaveLength(2);
  await stop();
});
