import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Channel } from '../../src/jsonrpc/channel.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { ServerProcess } from '../hostile/server-process.ts';
import { Recording } from './recording.ts';
import { connectTo, newest, ScriptedPeer } from './scripted-peer.ts';

const session = '2025-11-25';
const subscribed = {
  [newest]: 'subscriptions/listen',
  [session]: 'resources/subscribe',
};

/** A peer that accepts subscriptions, except for those of the next `crashes`, during which it crashes. */
class CrashingPeer extends ScriptedPeer {
  crashes = 0;

  constructor(version: string) {
    super(version, {
      'resources/subscribe': () => this.#accept({}),
      'resources/unsubscribe': () => ({ result: {} }),
      'subscriptions/listen': ({ id, params }) => {
        const { notifications } = params as { notifications: object };
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        if (this.#accept({})) {
          this.send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } });
        }
        return undefined;
      },
    });
  }

  #accept(result: JsonObject): { result: JsonObject } | undefined {
    if (this.crashes === 0) return { result };
    this.crashes--;
    void this.crash();
    return undefined;
  }
}

test.each([newest, session] as const)(
  'a subscription of %s that a server crashes over several times is made again once',
  async (version) => {
    const peer = new CrashingPeer(version);
    await using client = await connectTo(peer, version);
    const changes = new Recording();
    await client.subscribe('x:///', changes.add);
    peer.crashes = 5;
    await peer.crash();
    await changes.has(1);
    // The second restoration takes longer than the pause of any other that still ran.
    peer.crashes = 1;
    await peer.crash();
    await changes.has(2);
    expect(peer.of(subscribed[version])).toHaveLength(9);
    expect(changes.events).toHaveLength(2);
  },
);

test('a subscription that is stopped while its server restarts is not made again', async () => {
  const initialized = {
    result: { protocolVersion: session, capabilities: {}, serverInfo: { name: 's', version: '1' } },
  };
  const peer: ScriptedPeer = new ScriptedPeer(session, {
    'resources/subscribe': () => ({ result: {} }),
    initialize: () => (peer.opened === 1 ? initialized : undefined),
  });
  await using client = await connectTo(peer, session);
  const stop = await client.subscribe('x:///', () => {});
  await peer.crash();
  await peer.has('initialize', 2);
  await stop();
  peer.send({ id: peer.of('initialize')[1]?.['id'], ...initialized });
  await client.listTools();
  expect(peer.of('resources/subscribe')).toHaveLength(1);
});

test('a subscription that is stopped while its stream is opened again sends no other request', async () => {
  let acknowledges = true;
  const peer: ScriptedPeer = new ScriptedPeer(newest, {
    'subscriptions/listen': ({ id, params }) => {
      const { notifications } = params as { notifications: object };
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      if (acknowledges)
        peer.send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } });
      return undefined;
    },
  });
  await using client = await connectTo(peer, newest);
  const stop = await client.subscribe('x:///', () => {});
  acknowledges = false;
  peer.send({ id: peer.of('subscriptions/listen')[0]?.['id'], result: {} });
  await peer.has('subscriptions/listen', 2);
  await stop();
  expect(peer.of('resources/unsubscribe')).toEqual([]);
});

test('a listener that throws ends neither its subscription nor the calls of other listeners', async () => {
  await using client = new ServerProcess('throwing-subscriber');
  expect(await client.next()).toEqual({
    thrown: Array.from({ length: 2 }, () => 'A listener of a subscription has failed: Error: Careless'),
    others: 2,
    subscribed: 2,
  });
});

test('connections that have ended do not stay in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const channels: WeakRef<Channel>[] = [];
  class WatchedPeer extends CrashingPeer {
    override open(): Channel {
      const channel = super.open();
      channels.push(new WeakRef(channel));
      return channel;
    }
  }
  const peer = new WatchedPeer(session);
  await using client = await connectTo(peer, session);
  for (let connection = 0; connection < 20; connection++) {
    await client.callTool('any');
    await peer.crash();
  }
  await client.callTool('any');
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(channels.filter((channel) => channel.deref()).length).toBeLessThan(5);
});

test.each([newest, session] as const)(
  'at %s, the error of a refused subscription names its request',
  async (version) => {
    const peer = new ScriptedPeer(version, {
      [subscribed[version]]: () => ({ error: { code: -32601, message: 'Method not found' } }),
    });
    await using client = await connectTo(peer, version);
    await expect(client.subscribe('x:///', () => {})).rejects.toThrow(
      `${subscribed[version]}: Method not found`,
    );
  },
);
