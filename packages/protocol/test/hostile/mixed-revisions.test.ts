import { describe, expect, test } from 'vitest';
import { RawConnection } from '@mcp/protocol/testing';
import { misbehavingServer } from '../fixtures/misbehaving-server.ts';
import { call, failure, initialize, modern, modernMeta, ping, pong, request, said } from './messages.ts';

const supported = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const standing = {
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'clumsy', version: '1.0.0' } },
};

describe.each(supported.slice(1))('requests of 2026-07-28 within a conversation of %s', (version) => {
  async function conversation(): Promise<RawConnection> {
    const connection = new RawConnection(misbehavingServer());
    await connection.ask(initialize(version));
    return connection;
  }

  test('each request is answered in its own revision', async () => {
    const connection = await conversation();
    const content = [{ type: 'text', text: 'a' }];
    for (let id = 0; id < 6; id += 2) {
      expect(await connection.ask(call(id, 'echo', { text: 'a' }))).toEqual(said(id, 'a'));
      expect(
        await connection.ask(modern(id + 1, 'tools/call', { name: 'echo', arguments: { text: 'a' } })),
      ).toEqual({ jsonrpc: '2.0', id: id + 1, result: { ...standing, content } });
    }
  });

  test('a missing resource has the error code of the revision of the request', async () => {
    const connection = await conversation();
    const missing = ['No such resource: "thing:///a/b"', { uri: 'thing:///a/b' }] as const;
    expect(await connection.ask(request(1, 'resources/read', { uri: 'thing:///a/b' }))).toEqual(
      failure(1, -32002, ...missing),
    );
    expect(await connection.ask(modern(2, 'resources/read', { uri: 'thing:///a/b' }))).toEqual(
      failure(2, -32602, ...missing),
    );
  });

  test('an unknown version is refused and does not change the conversation', async () => {
    const connection = await conversation();
    const unknown = request(1, 'tools/list', { _meta: modernMeta('2099-01-01') });
    expect(await connection.ask(unknown)).toEqual(
      failure(1, -32022, 'Unsupported protocol version in "_meta": "2099-01-01"; expected 2026-07-28', {
        supported,
        requested: '2099-01-01',
      }),
    );
    // A revision with a handshake cannot be had without one either.
    expect(await connection.ask(request(2, 'tools/list', { _meta: modernMeta(version) }))).toEqual(
      failure(2, -32022, `Unsupported protocol version in "_meta": "${version}"; expected 2026-07-28`, {
        supported,
        requested: version,
      }),
    );
    expect(await connection.ask(ping(3))).toEqual(pong(3));
  });

  test.each([
    [modernMeta(null), '"_meta.io.modelcontextprotocol/protocolVersion" must be a version string'],
    [modernMeta(['2026-07-28']), '"_meta.io.modelcontextprotocol/protocolVersion" must be a version string'],
    [modernMeta('2026-07-28', null), '"_meta.io.modelcontextprotocol/clientCapabilities" must be an object'],
    [modernMeta('2026-07-28', []), '"_meta.io.modelcontextprotocol/clientCapabilities" must be an object'],
    [
      { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
      '"_meta.io.modelcontextprotocol/clientCapabilities" must be an object',
    ],
    [
      { 'io.modelcontextprotocol/clientCapabilities': {} },
      '"_meta.io.modelcontextprotocol/protocolVersion" must be a version string',
    ],
    [{ ...modernMeta(), progressToken: {} }, '"_meta.progressToken" must be a string or an integer'],
    [{ ...modernMeta(), progressToken: 2 ** 60 }, '"_meta.progressToken" must be a string or an integer'],
    [
      { ...modernMeta(), 'io.modelcontextprotocol/logLevel': 'loud' },
      '"_meta.io.modelcontextprotocol/logLevel" must be one of debug, info, notice, warning, error, critical, alert, emergency',
    ],
  ])('"_meta" of %j is refused', async (_meta, message) => {
    const connection = await conversation();
    expect(await connection.ask(request(1, 'tools/list', { _meta }))).toEqual(failure(1, -32602, message));
    expect(await connection.ask(ping(2))).toEqual(pong(2));
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list'])(
    '%s is not a method of 2026-07-28',
    async (method) => {
      const connection = await conversation();
      expect(await connection.ask(modern(1, method))).toMatchObject(
        failure(1, -32601, `No method "${method}" in protocol version 2026-07-28`),
      );
    },
  );

  test.each(['server/discover', 'subscriptions/listen'])(
    '%s is not a method of the conversation',
    async (method) => {
      const connection = await conversation();
      expect(await connection.ask(request(1, method))).toEqual(
        failure(1, -32601, `No method "${method}" in protocol version ${version}`),
      );
    },
  );
});

test('requests of 2026-07-28 are answered before a handshake, after it, and after a second one', async () => {
  const connection = new RawConnection(misbehavingServer());
  const discover = async (id: number) => (await connection.ask(modern(id, 'server/discover')))['result'];
  const first = await discover(1);
  expect(first).toMatchObject({ ...standing, supportedVersions: supported });
  for (const [index, version] of supported.slice(1).entries()) {
    expect(await connection.ask(initialize(version, 10 + index))).toMatchObject({
      result: { protocolVersion: version },
    });
    expect(await discover(20 + index)).toEqual(first);
  }
});

test.each(['2026-07-28', '2099-01-01', '', '2025-11-25 '])(
  'a handshake for %j is answered with the newest revision that has one',
  async (version) => {
    const connection = new RawConnection(misbehavingServer());
    expect(await connection.ask(initialize(version, 1))).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25' },
    });
  },
);
