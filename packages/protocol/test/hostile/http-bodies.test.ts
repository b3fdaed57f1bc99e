import { expect, test } from 'vitest';
import { misbehavingServer } from '../fixtures/misbehaving-server.ts';
import { basics, headersOf, HttpWire, messageOf, refusal } from '../http/http-wire.ts';
import { RawSocket, requestText } from '../http/raw-socket.ts';
import { atEveryRevision } from '../every-revision.ts';
import { example, stateless } from '../requirements/wire.ts';

const patience = { timeout: 10_000 };

const server = misbehavingServer();
const invalid = (message: string) => ({ code: -32600, message });

atEveryRevision((version) => {
  const modern = version === stateless;

  test('each mistake has its own HTTP status and error code', async () => {
    await using wire = await HttpWire.open(server, version);
    const { headers } = wire;
    const same = modern ? { ...headers, 'mcp-protocol-version': version } : headers;
    const unreadable = [
      '',
      ' ',
      '{',
      '{"jsonrpc":"2.0"',
      'null]',
      '\u0000',
      '<?xml?>',
      '{"a":1}{"b":2}',
      "{'a':1}",
    ];
    for (const text of unreadable) {
      expect([text, await refusal(await wire.post(text, same))]).toMatchObject([
        text,
        [400, { code: -32700 }],
      ]);
    }
    for (const text of [
      '{}',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":1}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    ]) {
      expect([text, await refusal(await wire.post(text, same))]).toMatchObject([
        text,
        [400, { code: -32600 }],
      ]);
    }
    for (const text of ['null', '5', '"text"', 'true', '[]', '[1]']) {
      const [status, error] = await refusal(await wire.post(text, same));
      // Only 2025-03-26 has batches, and answers their messages.
      if (text === '[1]' && version === '2025-03-26') expect(status).toBe(200);
      else expect([text, status, error]).toMatchObject([text, 400, { code: -32600 }]);
    }
    const missing = modern ? [200, { code: -32602 }] : [200, { code: -32002 }];
    expect(await refusal(await wire.ask('resources/read', { uri: 'none:///x' }))).toMatchObject(missing);
    expect(await refusal(await wire.ask('tools/call', { name: 5 }, { 'mcp-name': '5' }))).toMatchObject([
      200,
      { code: -32602 },
    ]);
    expect(await refusal(await wire.ask('no/such'))).toMatchObject([modern ? 404 : 200, { code: -32601 }]);
    const failing = await wire.call('throw', { what: 'undefined' });
    expect([failing.status, (await messageOf(failing))['result']]).toMatchObject([200, { isError: true }]);
  });

  test('a body that is not UTF-8 is a parse error', async () => {
    await using wire = await HttpWire.open(server, version);
    const body = Buffer.from(JSON.stringify(wire.request('tools/call', { name: 'ech\u00e9' })), 'latin1');
    const response = await fetch(wire.url, { method: 'POST', headers: wire.headers, body });
    expect(await refusal(response)).toEqual([400, { code: -32700, message: 'A message must be UTF-8' }]);
  });

  test('an array is accepted only in a revision with batches', async () => {
    await using wire = await HttpWire.open(server, version);
    const one = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const response = await wire.post([one, { ...one, id: 2 }], wire.headers);
    if (version === '2025-03-26') {
      expect(await response.json()).toEqual([
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 2, result: {} },
      ]);
      const tooMany = Array.from({ length: 1_001 }, (_, id) => ({ ...one, id }));
      expect((await wire.post(tooMany, wire.headers)).status).toBe(400);
      // Long calls are answered on a stream, also as one array.
      const mixed = [
        one,
        {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'echo_later', arguments: { text: 'x' } },
        },
      ];
      expect(await messageOf(await wire.post(mixed, wire.headers))).toMatchObject([{ id: 1 }, { id: 2 }]);
      return;
    }
    const [status, error] = await refusal(response);
    expect(status).toBe(400);
    expect(error).toEqual(invalid('Send one message at a time, not an array of them'));
  });
});

test('only a body of type application/json is accepted', async () => {
  await using wire = await HttpWire.open(server, stateless);
  const message = wire.request('tools/list');
  const status = async (type: string) =>
    (await wire.post(message, { ...headersOf(message), 'content-type': type })).status;
  for (const type of [
    'text/plain',
    'application/json-rpc',
    'application/jsonp',
    'text/json',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'application/xml, application/json',
    '',
  ]) {
    expect([type, await status(type)]).toEqual([type, 415]);
  }
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
  ]) {
    expect([type, await status(type)]).toEqual([type, 200]);
  }
});

test('a body over the limit is refused, and its connection stays usable', async () => {
  await using wire = await HttpWire.open(server, stateless, { limits: { maxBodyBytes: 1_000 } });
  const small = wire.request('tools/list');
  const good = requestText(wire.url, { headers: headersOf(small), body: JSON.stringify(small) });
  const tooLong = { status: 413, body: expect.stringContaining('A message may have at most 1000 bytes') };

  const socket = await RawSocket.open(wire.url);
  socket.write(requestText(wire.url, { headers: basics, body: 'x'.repeat(1_001) }) + good);
  expect(await socket.response()).toEqual(tooLong);
  expect(await socket.response()).toMatchObject({ status: 200 });

  socket.write(requestText(wire.url, { headers: { ...basics, 'transfer-encoding': 'chunked' } }));
  for (let chunk = 0; chunk < 100; chunk++) socket.write(`64\r\n${'x'.repeat(100)}\r\n`);
  expect(await socket.response()).toEqual(tooLong);
  socket.write(`0\r\n\r\n${good}`);
  expect(await socket.response()).toMatchObject({ status: 200 });

  // Exactly the limit is no more than the limit.
  socket.write(requestText(wire.url, { headers: basics, body: 'x'.repeat(1_000) }));
  expect(await socket.response()).toMatchObject({ status: 400 });
  socket.destroy();
});

test('a body far over the limit is refused on every attempt', async () => {
  await using wire = await HttpWire.open(server, stateless, { limits: { maxBodyBytes: 1_000 } });
  for (let time = 0; time < 2; time++) {
    expect((await wire.post('x'.repeat(20_000_000), basics)).status).toBe(413);
  }
});

test('a message more than a thousand levels deep is refused, and one within the limit is answered', async () => {
  await using wire = await HttpWire.open(server, stateless);
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const message = wire.request('tools/call', { name: 'keys', arguments: {} });
  const send = (member: string, levels: number) => {
    const text = JSON.stringify(message).replace(`"${member}":{`, `"${member}":{"deep":${nested(levels)},`);
    return wire.post(text.replaceAll(',}', '}'), headersOf(message));
  };
  const refused = [
    400,
    { code: -32600, message: 'A message may have at most 1000 levels of nested arrays and objects' },
  ];
  // The members are in an object, which is one level, or in `params`, which are two, or in its members.
  for (const [member, around] of [
    ['params', 2],
    ['arguments', 3],
    ['_meta', 3],
  ] as const) {
    for (const levels of [1_001 - around, 5_000, 2_000_000])
      expect([member, levels, ...(await refusal(await send(member, levels)))]).toEqual([
        member,
        levels,
        ...refused,
      ]);
    expect((await send(member, 1_000 - around)).status).toBe(200);
  }
  // Many objects, and brackets in a text, are not levels.
  const many = Array.from({ length: 5_000 }, () => ({ text: '[[{"\\' }));
  expect((await wire.call('keys', { many })).status).toBe(200);
});

test('keys with a meaning in JavaScript, such as __proto__, are ordinary keys', async () => {
  await using wire = await HttpWire.open(server, stateless);
  for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
    const { params, ...message } = wire.request('tools/call', { name: 'keys', arguments: {} });
    const text = JSON.stringify({ ...message, params: { ...(params as object), arguments: 'ARGS' } });
    const response = await wire.post(text.replace('"ARGS"', `{"${key}":{"x":1}}`), {
      ...headersOf(wire.request('tools/call', { name: 'keys' })),
    });
    expect(await messageOf(response)).toMatchObject({
      result: { content: [{ text: JSON.stringify([key]) }] },
    });
    expect((await wire.ask('tools/call', { name: key })).status).toBe(200);
  }
});

test('a request that never arrives completely leaves no state behind', async () => {
  const warnings: string[] = [];
  const limits = { maxRequests: 3 };
  await using wire = await HttpWire.open(example(), stateless, {
    limits,
    onWarning: (message) => void warnings.push(message),
  });
  for (let time = 0; time < 10; time++) {
    const socket = await RawSocket.open(wire.url);
    socket.write(
      requestText(wire.url, { headers: { ...basics, 'content-length': '100', expect: '100-continue' } }),
    );
    // The server reads.
    await socket.until('100 Continue\r\n\r\n');
    socket.write('{"jsonrpc"');
    socket.destroy();
    await socket.closed();
  }
  await expect.poll(async () => (await wire.ask('server/discover')).status, patience).toBe(200);
  expect(warnings).toEqual([]);
});
