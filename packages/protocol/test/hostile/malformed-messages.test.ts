import { expect, test } from 'vitest';
import { RawConnection } from '@mcp/protocol/testing';
import { atEveryRevision } from '../every-revision.ts';
import { misbehavingServer } from '../fixtures/misbehaving-server.ts';
import {
  call,
  failure,
  initialize,
  latest,
  modern,
  modernMeta,
  ping,
  pong,
  request,
  said,
} from './messages.ts';

const notJson = expect.stringMatching(/^Not JSON: /) as string;
const jsonrpc = '"jsonrpc" must be "2.0"';
const badId = '"id" must be a string or an integer';
const noObject = 'A message must be a JSON object';

/** A message and its response, at every revision; undefined for none. */
const wrong: readonly (readonly [sent: string, back: object | undefined])[] = [
  ['{', failure(undefined, -32700, notJson)],
  ['undefined', failure(undefined, -32700, notJson)],
  ["{'jsonrpc':'2.0'}", failure(undefined, -32700, notJson)],
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}}', failure(undefined, -32700, notJson)],
  [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}',
    failure(undefined, -32700, notJson),
  ],
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}\u0000', failure(undefined, -32700, notJson)],
  ['{"jsonrpc":"2.0","id":"\u0000","method":"ping"}', failure(undefined, -32700, notJson)],
  ['null', failure(undefined, -32600, noObject)],
  ['true', failure(undefined, -32600, noObject)],
  ['0', failure(undefined, -32600, noObject)],
  ['"ping"', failure(undefined, -32600, noObject)],
  ['{}', failure(undefined, -32600, jsonrpc)],
  ['{"jsonrpc":"2.0"}', failure(undefined, -32600, 'A request must name its "method"')],
  ['{"jsonrpc":"2.0","id":1}', failure(1, -32600, 'A request must name its "method"')],
  ['{"id":1,"method":"ping"}', failure(1, -32600, jsonrpc)],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', failure(1, -32600, jsonrpc)],
  ['{"jsonrpc":2,"id":"a","method":"ping"}', failure('a', -32600, jsonrpc)],
  ['{"jsonrpc":["2.0"],"id":1,"method":"ping"}', failure(1, -32600, jsonrpc)],
  ['{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}', failure(undefined, -32600, jsonrpc)],
  ['{"jsonrpc":"2.0","id":1,"method":1}', failure(1, -32600, '"method" must be a string')],
  ['{"jsonrpc":"2.0","id":1,"method":null}', failure(1, -32600, '"method" must be a string')],
  ['{"jsonrpc":"2.0","id":1,"method":{}}', failure(1, -32600, '"method" must be a string')],
  ['{"jsonrpc":"2.0","method":["ping"]}', failure(undefined, -32600, '"method" must be a string')],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', failure(undefined, -32600, badId)],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', failure(undefined, -32600, badId)],
  ['{"jsonrpc":"2.0","id":true,"method":"ping"}', failure(undefined, -32600, badId)],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', failure(undefined, -32600, badId)],
  ['{"jsonrpc":"2.0","id":[1],"method":"ping"}', failure(undefined, -32600, badId)],
  // These would be answered under another id than they came with.
  ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', failure(undefined, -32600, badId)],
  ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', failure(undefined, -32600, badId)],
  // Notifications and responses get no response.
  ['{"jsonrpc":"2.0","method":"notifications/unheard_of"}', undefined],
  ['{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}', undefined],
  ['{"jsonrpc":"2.0","method":"initialize"}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/cancelled"}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/initialized","params":"no"}', undefined],
  ['{"jsonrpc":"2.0","id":99,"result":{}}', undefined],
  ['{"jsonrpc":"2.0","id":99,"result":5}', undefined],
  ['{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"no"}}', undefined],
  ['{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}', undefined],
];

/** Invalid parameters of a request, in a conversation or stateless. */
const wrongParams: readonly (readonly [method: string, params: unknown, message: string])[] = [
  ['tools/call', [], '"params" must be an object'],
  ['tools/call', null, '"params" must be an object'],
  ['tools/call', 'echo', '"params" must be an object'],
  ['no/such/method', [], '"params" must be an object'],
  ['tools/call', { _meta: [] }, '"_meta" must be an object'],
  ['tools/call', { _meta: null }, '"_meta" must be an object'],
];

/** The same, where only the parameters beside `_meta` are wrong. */
const wrongMembers: readonly (readonly [method: string, params: object, message: string])[] = [
  ['tools/call', {}, '"name" must be a string'],
  ['tools/call', { name: 1 }, '"name" must be a string'],
  ['tools/call', { name: 'echo', arguments: [] }, '"arguments" must be an object'],
  ['tools/call', { name: 'echo', arguments: null }, '"arguments" must be an object'],
  ['tools/call', { name: 'echo', arguments: 'text' }, '"arguments" must be an object'],
  ['tools/list', { cursor: 1 }, 'Invalid "cursor" for tools; omit it to start at the first page'],
  ['tools/list', { cursor: null }, 'Invalid "cursor" for tools; omit it to start at the first page'],
  ['tools/list', { cursor: 'e30' }, 'Invalid "cursor" for tools; omit it to start at the first page'],
  ['resources/list', { cursor: 'W10' }, 'Invalid "cursor" for resources; omit it to start at the first page'],
  ['resources/read', {}, '"uri" must be a string'],
  ['resources/read', { uri: 'no uri' }, 'Not a URI: "no uri"'],
  ['resources/read', { uri: 'thing:///%zz' }, 'Malformed percent-encoding in "thing:///%zz"'],
  ['prompts/get', { name: 'say', arguments: { word: 1 } }, '"arguments.word" must be a string'],
  ['completion/complete', {}, '"ref" must be an object'],
  ['completion/complete', { ref: {}, argument: [] }, '"argument" must be an object'],
  [
    'completion/complete',
    { ref: { type: 'ref/tool' }, argument: { name: 'a', value: '' } },
    '"ref.type" must be "ref/prompt" or "ref/resource"',
  ],
];

/** Names that every object has. */
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

atEveryRevision((version) => {
  const alone = version === latest;

  /** A connection on which requests can be made. */
  async function connected(): Promise<RawConnection> {
    const connection = new RawConnection(misbehavingServer());
    if (!alone) await connection.ask(initialize(version));
    return connection;
  }

  const asking = (id: number, method: string, params: object) =>
    alone ? modern(id, method, params as { [key: string]: unknown }) : request(id, method, params);
  const errorOf = async (connection: RawConnection, message: unknown) =>
    (await connection.ask(message))['error'];

  test.each(wrong)('%s', async (sent, back) => {
    const connection = await connected();
    if (back) expect(await connection.ask(sent)).toEqual(back);
    else connection.send(sent);
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.end()).toEqual([]);
  });

  test.each(wrongParams)('%s with %j', async (method, params, message) => {
    const connection = await connected();
    expect(await connection.ask(request(1, method, params))).toEqual(failure(1, -32602, message));
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.end()).toEqual([]);
  });

  test.each(wrongMembers)('%s with %j', async (method, params, message) => {
    const connection = await connected();
    expect(await errorOf(connection, asking(1, method, params))).toMatchObject({ code: -32602, message });
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.end()).toEqual([]);
  });

  test.each(inherited)('"%s" is not a method, tool, prompt, resource, argument or variable', async (name) => {
    const connection = await connected();
    expect(await errorOf(connection, asking(1, name, {}))).toEqual({
      code: -32601,
      message: `No method "${name}" in protocol version ${version}`,
    });
    expect(await errorOf(connection, asking(2, 'tools/call', { name }))).toEqual({
      code: -32602,
      message: `Unknown tool: "${name}"`,
    });
    expect(await errorOf(connection, asking(3, 'prompts/get', { name }))).toEqual({
      code: -32602,
      message: `Unknown prompt: "${name}"`,
    });
    const argument = { name, value: '' };
    const ofPrompt = { ref: { type: 'ref/prompt', name: 'say' }, argument };
    expect(await errorOf(connection, asking(4, 'completion/complete', ofPrompt))).toEqual({
      code: -32602,
      message: `The prompt "say" has no argument "${name}"`,
    });
    const ofResource = { ref: { type: 'ref/resource', uri: 'thing:///{name}' }, argument };
    expect(await errorOf(connection, asking(5, 'completion/complete', ofResource))).toEqual({
      code: -32602,
      message: `The resource "thing:///{name}" has no argument "${name}"`,
    });
    expect(await connection.ask(asking(6, 'resources/read', { uri: `thing:///${name}` }))).toMatchObject({
      result: { contents: [{ text: `This is ${name}` }] },
    });
  });

  test('keys that every object inherits are ordinary keys', async () => {
    const connection = await connected();
    const args = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}';
    const meta = alone ? `,"_meta":${JSON.stringify(modernMeta())}` : '';
    connection.send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"keys","arguments":${args}${meta}}}`,
    );
    expect(await connection.next()).toMatchObject({
      result: { content: [{ type: 'text', text: '["__proto__","constructor","toString"]' }] },
    });
    connection.send(
      `{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"say","arguments":{"__proto__":"a"}${meta}}}`,
    );
    expect(await connection.next()).toMatchObject({
      error: {
        code: -32602,
        message: 'Invalid arguments for say: Unknown argument "__proto__". Accepted arguments: "word".',
      },
    });
    expect(({} as { polluted?: number }).polluted).toBe(undefined);
  });

  test('a message nine hundred levels deep is answered, and a deeper one is refused', async () => {
    const connection = await connected();
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const meta = (members: string) => {
      const own = JSON.stringify(alone ? modernMeta() : {}).slice(0, -1);
      return `"_meta":${own}${alone && members ? ',' : ''}${members}}`;
    };
    const send = (id: number, tool: string, args: string, members = '') =>
      connection.send(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${args},${meta(members)}}}`,
      );
    const deep = nested(900);
    send(1, 'keys', `{"deep":${deep}}`);
    expect(await connection.next()).toMatchObject({ id: 1, result: { content: [{ text: '["deep"]' }] } });
    send(2, 'keys', '{}', `"deep":${deep}`);
    expect(await connection.next()).toMatchObject({ id: 2, result: { content: [{ text: '[]' }] } });
    send(3, 'reflect', `{"deep":${deep}}`);
    expect(await connection.next()).toMatchObject({ id: 3, result: { content: [{ text: 'x' }] } });
    connection.send(deep);
    expect(await connection.next()).toEqual(
      version === '2025-03-26'
        ? [failure(undefined, -32600, noObject)]
        : failure(undefined, -32600, 'Send one message at a time, not an array of them'),
    );
    const tooDeep = failure(
      undefined,
      -32600,
      'A message may have at most 1000 levels of nested arrays and objects',
    );
    send(4, 'keys', `{"deep":${nested(100_000)}}`);
    expect(await connection.next()).toEqual(tooDeep);
    send(5, 'keys', '{}', `"deep":${nested(100_000)}`);
    expect(await connection.next()).toEqual(tooDeep);
    connection.send('{"a":'.repeat(1e5));
    expect(await connection.next()).toEqual(tooDeep);
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
  });

  test('an id that is in use is refused, and the first request still gets its answer', async () => {
    const connection = await connected();
    connection.send(asking(1, 'tools/call', { name: 'echo_later', arguments: { text: 'first' } }));
    connection.send(asking(1, 'tools/call', { name: 'echo', arguments: { text: 'second' } }));
    expect(await connection.next()).toEqual(
      failure(1, -32600, 'A request with the id 1 is still being answered'),
    );
    expect(await connection.next()).toMatchObject({ id: 1, result: { content: [{ text: 'first' }] } });
    // "1" is another id, and 1 is free again.
    connection.send({ ...asking(1, 'tools/call', { name: 'echo', arguments: { text: 'a' } }), id: '1' });
    expect(await connection.next()).toMatchObject({ id: '1', result: { content: [{ text: 'a' }] } });
    connection.send(asking(1, 'tools/call', { name: 'echo', arguments: { text: 'b' } }));
    expect(await connection.next()).toMatchObject({ id: 1, result: { content: [{ text: 'b' }] } });
    expect(await connection.end()).toEqual([]);
  });

  test('a cancelled request gets no answer, and its id is free at once', async () => {
    const connection = await connected();
    connection.send(asking(1, 'tools/call', { name: 'hang' }));
    connection.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    connection.send(asking(1, 'tools/call', { name: 'echo', arguments: { text: 'again' } }));
    expect(await connection.next()).toMatchObject({ id: 1, result: { content: [{ text: 'again' }] } });
    // The server does not wait for a cancelled handler.
    expect(await connection.end()).toEqual([]);
  });

  test.each(['', 'a\u0000b', '\ud800', '\u2028', 'é'.repeat(10_000), -1, 0, 2 ** 53 - 1])(
    'the response repeats the id %j unchanged',
    async (id) => {
      const connection = await connected();
      expect(await connection.ask(ping(id))).toEqual(pong(id));
    },
  );

  test('a lone surrogate is returned unchanged', async () => {
    const connection = await connected();
    expect(
      await connection.ask(asking(1, 'tools/call', { name: 'echo', arguments: { text: 'a\ud800b' } })),
    ).toMatchObject({ result: { content: [{ text: 'a\ud800b' }] } });
  });
});

test('before the handshake only a ping is answered, and the handshake still works afterwards', async () => {
  const connection = new RawConnection(misbehavingServer());
  expect(await connection.ask(call(1, 'echo', { text: 'a' }))).toEqual(
    failure(
      1,
      -32602,
      'Either open with "initialize" (up to 2025-11-25), or put "io.modelcontextprotocol/protocolVersion" and ' +
        '"io.modelcontextprotocol/clientCapabilities" into "_meta" of every request (2026-07-28)',
      { supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] },
    ),
  );
  connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(await connection.ask(ping(2))).toEqual(pong(2));
  expect(await connection.ask([ping(3)])).toEqual(
    failure(undefined, -32600, 'Send one message at a time, not an array of them'),
  );
  await connection.ask(initialize('2025-06-18', 4));
  expect(await connection.ask(call(5, 'echo', { text: 'a' }))).toEqual(said(5, 'a'));
  expect(await connection.end()).toEqual([]);
});

test.each([
  [undefined, '"protocolVersion" must be a string'],
  [{ protocolVersion: 1 }, '"protocolVersion" must be a string'],
  [{ protocolVersion: '2025-06-18' }, '"clientInfo" must be an object'],
  [{ protocolVersion: '2025-06-18', clientInfo: {} }, '"name" must be a string'],
  [
    { protocolVersion: '2025-06-18', clientInfo: { name: 'a' }, capabilities: 1 },
    '"capabilities" must be an object',
  ],
])('a handshake with %j leaves everything as it was', async (params, message) => {
  const connection = new RawConnection(misbehavingServer());
  expect(await connection.ask(request(1, 'initialize', params))).toEqual(failure(1, -32602, message));
  await connection.ask(initialize('2025-03-26', 2));
  expect(await connection.ask(request(3, 'initialize', params))).toEqual(failure(3, -32602, message));
  // Still 2025-03-26: it takes batches.
  expect(await connection.ask([ping(4)])).toEqual([pong(4)]);
});

test('a second handshake starts a new conversation, and earlier requests are answered', async () => {
  const connection = new RawConnection(misbehavingServer());
  await connection.ask(initialize('2025-03-26', 1));
  connection.send(call(2, 'echo_later', { text: 'asked before' }));
  expect(await connection.ask(initialize('2025-06-18', 3))).toMatchObject({
    id: 3,
    result: { protocolVersion: '2025-06-18' },
  });
  expect(await connection.next()).toEqual(said(2, 'asked before'));
  expect(await connection.ask([ping(4)])).toEqual(
    failure(undefined, -32600, 'Send one message at a time, not an array of them'),
  );
});
