import { Client } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { requirement } from './requirement.ts';
import { connectTo, metaOf, newest, paramsOf, ScriptedPeer, text } from './scripted-peer.ts';

requirement('RPC-05', 'concurrent requests have different ids', async (version) => {
  const peer = new ScriptedPeer(version);
  await using client = await connectTo(peer, version);
  await Promise.all(Array.from({ length: 100 }, () => client.callTool('any')));
  const ids = peer.of('tools/call').map(({ id }) => id);
  expect(new Set(ids).size).toBe(100);
});

test('ids begin with firstId, in each connection', async () => {
  const peer = new ScriptedPeer(newest);
  await using client = await connectTo(peer, newest, { firstId: 40_001 });
  await client.callTool('any');
  await client.callTool('any');
  expect(peer.received.map(({ id }) => id)).toEqual([40_001, 40_002, 40_003]);
});

requirement(['RPC-15', 'RPC-16'], 'a client sends no batches', async (version) => {
  const peer = new ScriptedPeer(version);
  await using client = await connectTo(peer, version);
  await Promise.all([client.callTool('any'), client.listTools()]);
  expect(peer.received.every((message) => !Array.isArray(message))).toBe(true);
});

requirement('RPC-19', 'a result of an unknown type is invalid', async (version) => {
  const peer = new ScriptedPeer(version, {
    'tools/call': () => ({ result: { ...text('done'), resultType: 'surprise' } }),
  });
  await using client = await connectTo(peer, version);
  await expect(client.callTool('any')).rejects.toThrow('unknown "resultType" "surprise"');
});

requirement('RPC-20', 'a result without a type is complete', async (version) => {
  await using client = await connectTo(new ScriptedPeer(version), version);
  expect(await client.callTool('any')).toEqual(text('done'));
});

requirement(
  ['RPC-33', 'STDIO-07'],
  'a request of the server gets no answer, and the host gets a warning',
  async (version) => {
    const warnings: string[] = [];
    const peer = new ScriptedPeer(version);
    await using client = await connectTo(peer, version, {
      roots: () => Promise.resolve([]),
      onWarning: (message) => warnings.push(message),
    });
    peer.send({ id: 1, method: 'roots/list' });
    peer.send({ id: 2, method: 'ping' });
    await client.callTool('any');
    expect(warnings).toHaveLength(2);
    expect(peer.received.filter(({ method }) => method === undefined)).toEqual([]);
  },
);

requirement(
  'STATE-04',
  'independent requests share one connection, which outlives each of them',
  async (version) => {
    const peer = new ScriptedPeer(version);
    await using client = await connectTo(peer, version);
    for (let task = 0; task < 3; task++) await Promise.all([client.callTool('any'), client.listTools()]);
    expect(peer.opened).toBe(1);
  },
);

requirement(
  ['LIFE-02', 'LIFE-07'],
  'a client begins with initialize and a version that it supports',
  async (version) => {
    const peer = new ScriptedPeer(version);
    await using client = await connectTo(peer, version, { name: 'host', version: '2' });
    expect(peer.received[0]).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'host', version: '2' } },
    });
    expect(client.revision).toBe(version);
  },
);

requirement(
  ['LIFE-04', 'LIFE-05'],
  'nothing is sent between initialize and notifications/initialized',
  async (version) => {
    const peer = new ScriptedPeer(version);
    await using client = await connectTo(peer, version);
    await client.callTool('any');
    expect(peer.received.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
  },
);

requirement(
  'LIFE-11',
  'a client disconnects from a server whose version it does not support',
  async (version) => {
    const peer = new ScriptedPeer(version, {
      initialize: () => ({
        result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      }),
    });
    await expect(connectTo(peer, version)).rejects.toThrow('The server supports only "1999-01-01"');
    expect(peer.of('notifications/initialized')).toEqual([]);
  },
);

requirement(
  ['LIFE-24', 'ROOT-01', 'SAMP-01', 'ELIC-01'],
  'a client declares the capabilities of its host and no others',
  async (version) => {
    const declared = async (options: object) => {
      const peer = new ScriptedPeer(version);
      await using client = await connectTo(peer, version, options);
      await client.callTool('any');
      const [first] = peer.received;
      return version === newest
        ? metaOf(first)['io.modelcontextprotocol/clientCapabilities']
        : paramsOf(first)['capabilities'];
    };
    const answers = {
      elicit: () => {},
      elicitsUrls: true,
      sample: () => {},
      samplesTools: true,
      roots: () => {},
    };
    expect(await declared({ tasks: false })).toEqual({});
    expect(await declared({ ...answers, tasks: false })).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
      roots: version === newest ? {} : { listChanged: true },
    });
  },
);

requirement(
  ['ERA-01', 'ERA-25'],
  'every request has the version, the client and its capabilities',
  async (version) => {
    const peer = new ScriptedPeer(version);
    await using client = await connectTo(peer, version, { name: 'host', version: '2' });
    await client.callTool('any');
    await client.listTools();
    expect(peer.received).toHaveLength(3);
    for (const message of peer.received) {
      expect(metaOf(message)).toEqual({
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'host', version: '2' },
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      });
    }
  },
);

requirement(
  'ERA-06',
  'a refused version is sent again if the server supports it, and is an error if no version is shared',
  async (version) => {
    let refusals = 0;
    const refuse = (supported: readonly string[]) => ({
      error: { code: -32022, message: 'Unsupported', data: { supported } },
    });
    const picky = new ScriptedPeer(version, {
      'server/discover': () =>
        refusals++ === 0 ? refuse([newest]) : { result: { supportedVersions: [newest], capabilities: {} } },
    });
    await using client = await Client.connect(picky);
    expect(client.revision).toBe(newest);
    const foreign = new ScriptedPeer(version, { 'server/discover': () => refuse(['2099-01-01']) });
    await expect(Client.connect(foreign)).rejects.toMatchObject({ phase: 'handshake', code: -32022 });
    // A server that lists the refused version has no older one to offer.
    const stubborn = new ScriptedPeer(version, { 'server/discover': () => refuse([newest]) });
    await expect(Client.connect(stubborn)).rejects.toMatchObject({ phase: 'handshake', code: -32022 });
    expect(stubborn.of('initialize')).toEqual([]);
  },
);

requirement(
  'ERA-12',
  'the handshake of a server is cached, and determined again after it has changed',
  async () => {
    const peer = new ScriptedPeer('2025-11-25');
    const negotiations = new Map();
    for (let n = 0; n < 2; n++) await (await Client.connect(peer, { negotiations })).close();
    expect(peer.of('server/discover')).toHaveLength(1);
    expect(negotiations.get(peer.name)).toEqual({ opening: 'handshake', at: expect.any(Number) });
    const changed = Object.assign(new ScriptedPeer(newest), { name: peer.name });
    await using client = await Client.connect(changed, { negotiations });
    expect(client.revision).toBe(newest);
    negotiations.set(peer.name, { opening: 'handshake', at: Date.now() - 25 * 60 * 60_000 });
    await (await Client.connect(peer, { negotiations })).close();
    expect(peer.of('server/discover')).toHaveLength(2);
  },
);

requirement('ERA-13', 'a client that supports both kinds of handshake probes first', async () => {
  const peer = new ScriptedPeer('2025-11-25');
  await using client = await Client.connect(peer, { negotiations: new Map() });
  expect(peer.received.map(({ method }) => method)).toEqual([
    'server/discover',
    'initialize',
    'notifications/initialized',
  ]);
  expect(client.revision).toBe('2025-11-25');
});

requirement(
  'ERA-14',
  'after any other error, a timeout or the end of the connection the client falls back to initialize',
  async () => {
    const errors = [-32601, -32602, -32600, -32000, 0, 42];
    for (const code of errors) {
      const peer = new ScriptedPeer('2025-11-25', {
        'server/discover': () => ({ error: { code, message: 'No' } }),
      });
      await using client = await Client.connect(peer);
      expect(client.revision).toBe('2025-11-25');
    }
    const silent = new ScriptedPeer('2025-11-25', { 'server/discover': () => undefined });
    await using client = await Client.connect(silent, { probeTimeoutMs: 20 });
    expect(client.revision).toBe('2025-11-25');
  },
);

test('a server that is too slow for the probe and refuses initialize gets server/discover again', async () => {
  const answers = [
    undefined,
    { result: { resultType: 'complete', supportedVersions: [newest], capabilities: {} } },
  ];
  const peer = new ScriptedPeer(newest, { 'server/discover': () => answers.shift() });
  await using client = await Client.connect(peer, { probeTimeoutMs: 20 });
  expect(client.revision).toBe(newest);
  expect(await client.callTool('any')).toEqual(text('done'));
  expect(peer.of('initialize')).toHaveLength(1);
  expect(peer.opened).toBe(1);
});

test('a server that refuses both handshakes is reported with its answer to initialize', async () => {
  const peer = new ScriptedPeer(newest, {
    'server/discover': () => ({ error: { code: -32601, message: 'No discovery' } }),
    initialize: () => ({ error: { code: -32603, message: 'No handshake today' } }),
  });
  await expect(Client.connect(peer)).rejects.toThrow('No handshake today');
});

requirement('ERA-15', 'a client does not fall back to initialize after an error of 2026-07-28', async () => {
  for (const code of [-32020, -32021, -32022]) {
    const peer = new ScriptedPeer('2025-11-25', {
      'server/discover': () => ({ error: { code, message: 'No', data: {} } }),
    });
    await expect(Client.connect(peer)).rejects.toMatchObject({ code });
    expect(peer.of('initialize')).toEqual([]);
  }
});

requirement(
  'MRTR-14',
  'the request is sent again with the required inputs and the unchanged requestState',
  async (version) => {
    const requestState = '{"not": "ours"}\u2028é';
    const states = [requestState, undefined];
    const peer = new ScriptedPeer(version, {
      'tools/call': ({ params }) => {
        const asked = states.shift();
        if ('inputResponses' in (params as object) && states.length === 0 && asked === undefined)
          return { result: text('done') };
        const inputRequests = { r: { method: 'roots/list' } };
        return {
          result: { resultType: 'input_required', inputRequests, ...(asked && { requestState: asked }) },
        };
      },
    });
    await using client = await connectTo(peer, version, {
      roots: () => Promise.resolve([{ uri: 'file:///a' }]),
    });
    await client.callTool('any', { a: 1 }).catch(() => {});
    const [, second, third] = peer.of('tools/call').map(paramsOf);
    expect(second).toMatchObject({
      name: 'any',
      arguments: { a: 1 },
      requestState,
      inputResponses: { r: { roots: [{ uri: 'file:///a' }] } },
    });
    expect(third ?? {}).not.toHaveProperty('requestState');
  },
);

requirement(
  ['MRTR-15', 'MRTR-16'],
  'the repeated request has a new id, and other requests have no inputs',
  async (version) => {
    let first = true;
    const peer = new ScriptedPeer(version, {
      'tools/call': ({ params }) => {
        if ((params as { name: string }).name !== 'asks' || !first) return { result: text('done') };
        first = false;
        return { result: { resultType: 'input_required', requestState: 's', inputRequests: {} } };
      },
    });
    await using client = await connectTo(peer, version);
    await Promise.all([client.callTool('asks'), client.callTool('other')]);
    const asks = peer.of('tools/call').filter((message) => paramsOf(message)['name'] === 'asks');
    expect(new Set(asks.map(({ id }) => id)).size).toBe(2);
    const other = peer.of('tools/call').find((message) => paramsOf(message)['name'] === 'other');
    expect(paramsOf(other)).not.toHaveProperty('requestState');
    expect(paramsOf(other)).not.toHaveProperty('inputResponses');
  },
);

requirement(
  'DISC-04',
  'the name of a server changes nothing in the behaviour of the client',
  async (version) => {
    for (const serverInfo of [{ name: 'evil', version: '0' }, { name: 7 }, 'none', undefined]) {
      const peer = new ScriptedPeer(version, {
        'server/discover': () => ({
          result: {
            supportedVersions: [newest],
            capabilities: {},
            _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
          },
        }),
      });
      await using client = await connectTo(peer, version);
      expect(await client.callTool('any')).toEqual(text('done'));
    }
  },
);
