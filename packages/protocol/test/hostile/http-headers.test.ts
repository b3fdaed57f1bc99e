import { expect, test } from 'vitest';
import { defineTool } from '@mcp/protocol';
import { httpHandler, serveHttp, sharedToken } from '../../src/http.ts';
import { basics, headersOf, HttpWire, raw } from '../http/http-wire.ts';
import { RawSocket, requestText } from '../http/raw-socket.ts';
import { example, initialize, stateless } from '../requirements/wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const server = example({ tools: [hello] });

test('a request head that is too long is refused', async () => {
  await using wire = await HttpWire.open(server, stateless);
  for (const bomb of [
    `x: ${'y'.repeat(100_000)}`,
    Array.from({ length: 5_000 }, (_, n) => `x-${n}: y`).join('\r\n'),
  ]) {
    const socket = await RawSocket.open(wire.url);
    socket.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${bomb}\r\n\r\n`);
    expect(await socket.closed()).toMatch(/^HTTP\/1.1 431 /);
  }
  expect((await wire.call('hello')).status).toBe(200);
});

test('data that is not HTTP is refused', async () => {
  await using wire = await HttpWire.open(server, stateless);
  for (const nonsense of [
    'hello\r\n\r\n',
    'POST /mcp HTTP/1.1\r\n\r\n',
    'POST /mcp HTTP/9.9\r\nHost: localhost\r\n\r\n',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Name: a\u0000b\r\n\r\n',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\n Mcp-Name: folded\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000',
  ]) {
    const socket = await RawSocket.open(wire.url);
    socket.write(nonsense);
    expect([nonsense, await socket.closed()]).toEqual([nonsense, expect.stringMatching(/^HTTP\/1.1 400 /)]);
  }
});

test('a value from a request cannot inject a response header', async () => {
  await using wire = await HttpWire.open(server, stateless);
  // Line breaks within a value come decoded, where they are only characters.
  const broken = 'hello\r\nSet-Cookie: a=b';
  const message = wire.request('tools/call', { name: broken });
  const name = `=?base64?${Buffer.from(broken).toString('base64')}?=`;
  const response = await wire.post(message, { ...headersOf({ ...message, params: {} }), 'mcp-name': name });
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
  // Text from a client is repeated only inside JSON.
  const odd = await wire.ask('tools/list', {}, { 'mcp-method': 'a\u00e9"\\' });
  expect(await odd.json()).toMatchObject({
    error: { message: expect.stringContaining(String.raw`"aé\"\\"`) },
  });
});

test('a header that is sent twice contradicts the body', async () => {
  await using wire = await HttpWire.open(server, stateless);
  const message = wire.request('tools/call', { name: 'hello' });
  const once = Object.entries(headersOf(message)).flat();
  const status = async (...more: string[]) =>
    (await raw(wire.url, { headers: [...once, ...more], body: JSON.stringify(message) })).status;
  expect(await status()).toBe(200);
  expect(await status('Mcp-Method', 'tools/call')).toBe(400);
  expect(await status('MCP-NAME', 'hello')).toBe(400);
  expect(await status('mcp-protocol-version', stateless)).toBe(400);
  expect(await status('Origin', 'http://localhost', 'Origin', 'http://localhost')).toBe(403);
  expect(await status('Mcp-Session-Id', 'a', 'Mcp-Session-Id', 'b')).toBe(200);
});

test('a request with two session ids, or with an invalid one, gets 404', async () => {
  await using wire = await HttpWire.open(server, '2025-06-18');
  const twice = { 'mcp-session-id': `${wire.session}, ${wire.session}` };
  expect((await wire.ask('tools/list', {}, twice)).status).toBe(404);
  for (const id of ['', ' ', '__proto__', 'constructor', '0', 'x'.repeat(10_000)]) {
    expect([id, (await wire.ask('tools/list', {}, { 'mcp-session-id': id })).status]).toEqual([id, 404]);
  }
});

test('a server answers only to its allowed host names', async () => {
  await using wire = await HttpWire.open(server, stateless, { allowedHosts: ['MCP.example', '[::1]'] });
  const status = async (...headers: string[]) => (await raw(wire.url, { method: 'GET', headers })).status;
  for (const host of ['mcp.example', 'mcp.EXAMPLE:8080', '[::1]:9'])
    expect(await status('Host', host)).toBe(405);
  for (const host of [
    'localhost',
    '127.0.0.1',
    'mcp.example.',
    'a.mcp.example',
    'mcp.example:80:80',
    '::1',
  ]) {
    expect([host, await status('Host', host)]).toEqual([host, 403]);
  }
  expect(await status('Host', 'mcp.example', 'Origin', 'https://mcp.example')).toBe(405);
  expect(await status('Host', 'mcp.example', 'Origin', 'https://mcp.example@evil.example')).toBe(403);
});

test('a browser can send only from an allowed origin', async () => {
  await using wire = await HttpWire.open(server, '2025-11-25', {
    allowedOrigins: ['https://friend.example'],
  });
  const ask = (origin: string) =>
    fetch(wire.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'mcp-method, authorization',
      },
    });
  for (const origin of ['https://friend.example', 'http://localhost:5173', 'http://[::1]:3000']) {
    const { status, headers } = await ask(origin);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(headers.get('access-control-allow-headers')).toBe('mcp-method, authorization');
    expect(headers.get('access-control-allow-methods')).toBe('POST, GET, DELETE');
    expect(headers.get('vary')).toBe('origin');
    expect(headers.get('content-length')).toBeNull();
  }
  for (const origin of [
    'https://evil.example',
    'null',
    'https://friend.example:444',
    'HTTPS://friend.example',
  ]) {
    const { status, headers } = await ask(origin);
    expect([origin, status, headers.get('access-control-allow-origin')]).toEqual([origin, 403, null]);
  }
  // A page may read all answers, and the name of its session.
  const { status, headers } = await wire.post(initialize(1, '2025-11-25'), {
    ...basics,
    origin: 'https://friend.example',
  });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://friend.example']);
  expect(headers.get('access-control-expose-headers')).toContain('mcp-session-id');
  expect((await wire.call('hello')).headers.get('access-control-allow-origin')).toBeNull();
});

test('a token with characters that no client can send is refused at the start', async () => {
  for (const token of ['', ' ', 'two words', 'ä', 'a\nb', '=', 'a=b']) {
    expect(() => sharedToken(token)).toThrow(
      'Invalid token: expected letters, digits and - . _ ~ + / and = only at its end',
    );
    await expect(serveHttp(server, { host: '0.0.0.0', token })).rejects.toThrow('Invalid token: expected');
  }
  const shared = sharedToken('a-B.c_d~e+f/g==');
  const use = { scheme: 'Bearer', proof: undefined, method: 'POST', url: undefined } as const;
  expect(shared.verify('a-B.c_d~e+f/g==', use)).toEqual({ principal: 'token', shared: true });
  for (const wrong of ['a-B.c_d~e+f/g=', 'a-b.c_d~e+f/g==', '', 'x'.repeat(100_000)]) {
    expect(shared.verify(wrong, use)).toBeUndefined();
  }
});

test('a verifier that fails causes an internal error without details', async () => {
  const warnings: string[] = [];
  const handler = httpHandler(server, {
    authorization: {
      verify: () => {
        throw new Error('connect ECONNREFUSED database.internal');
      },
    },
    onWarning: (message) => void warnings.push(message),
  });
  const headers = { ...basics, authorization: 'Bearer x' };
  const response = await handler.fetch(
    new Request('http://localhost/mcp', { method: 'POST', headers, body: '{}' }),
  );
  expect([response.status, await response.json()]).toEqual([
    500,
    { jsonrpc: '2.0', error: { code: -32603, message: 'Internal server error' } },
  ]);
  expect(warnings).toEqual([expect.stringContaining('POST /mcp failed: Error: connect ECONNREFUSED')]);
  await handler.close();
});

test('only the exact path reaches the endpoint, in any form of the address', async () => {
  await using wire = await HttpWire.open(server, stateless);
  const socket = await RawSocket.open(wire.url);
  for (const target of [
    'http://localhost/other',
    '/mcp/../mcp',
    '/%6dcp',
    '//mcp',
    '/mcp;a',
    '*',
    '/mcp%00',
  ]) {
    const text = requestText(wire.url, { method: 'GET', headers: { host: 'localhost' } });
    socket.write(text.replace('/mcp', target));
    expect([target, await socket.response()]).toMatchObject([target, { status: 404 }]);
  }
  socket.write(requestText(wire.url, { method: 'GET', headers: {} }).replace('/mcp', 'http://localhost/mcp'));
  expect(await socket.response()).toMatchObject({ status: 405 });
  socket.write(
    requestText(wire.url, { method: 'GET', headers: {} }).replace('/mcp', 'http://evil.example/mcp'),
  );
  expect(await socket.response()).toMatchObject({ status: 403 });
  socket.write(requestText(`${wire.url}?a=b&mcp-session-id=x`, { method: 'GET', headers: {} }));
  expect(await socket.response()).toMatchObject({ status: 405 });
  socket.destroy();
});
