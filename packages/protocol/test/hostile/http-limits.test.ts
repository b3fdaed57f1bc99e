import { defineTool, jsonSchema } from '@mcp/protocol';
import { expect, test } from 'vitest';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, HttpWire, raw, refusal } from '../http/http-wire.ts';
import { RawSocket, requestText } from '../http/raw-socket.ts';
import { Recording } from '../client/recording.ts';
import { example, metaOf, stateless } from '../requirements/wire.ts';
import { webHandler } from '../../src/web.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Repeats.',
  inputSchema: jsonSchema<{ text?: string }>({ type: 'object' }, (value) => value as { text?: string }),
  run: ({ text }) => text ?? '',
});
const large = defineTool({ name: 'large', description: 'Much.', run: () => 'x'.repeat(10_000_000) });
const deep = `${'['.repeat(900)}${']'.repeat(900)}`;

test.each([
  ['tools/call', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
])('a deep "params.%s" of %s is refused, and is no failure of the server', async (method, name) => {
  await using wire = await HttpWire.open(example({ tools: [echo] }), stateless);
  const meta = JSON.stringify(metaOf());
  const message = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"${name}":${deep},"_meta":${meta}}}`;
  const headers = { ...basics, 'mcp-protocol-version': stateless, 'mcp-method': method, 'mcp-name': 'x' };
  expect(await refusal(await wire.post(message, headers))).toEqual([
    400,
    { code: -32020, message: 'The header Mcp-Name is "x", but the body has an array' },
  ]);
});

test('a response with a deeply nested id is refused', async () => {
  await using wire = await HttpWire.open(example({ tools: [echo] }), '2025-11-25');
  const message = `{"jsonrpc":"2.0","id":${deep},"result":{}}`;
  expect(await refusal(await wire.post(message, wire.headers))).toEqual([
    400,
    {
      code: -32600,
      message:
        'Malformed response; expected an "id", and an object "result" or an "error" with "code" and "message"',
    },
  ]);
  expect((await wire.call('echo')).status).toBe(200);
});

/** Sends a call of `large` whose answer is not read. */
async function callUnread(
  wire: HttpWire,
  more: { readonly [name: string]: string } = {},
): Promise<RawSocket> {
  const message = wire.request('tools/call', { name: 'large', arguments: {} });
  const headers = wire.session === undefined ? headersOf(message) : wire.headers;
  const socket = await RawSocket.open(wire.url);
  socket.socket.pause();
  socket.write(requestText(wire.url, { headers: { ...headers, ...more }, body: JSON.stringify(message) }));
  return socket;
}

test('clients that do not read their answers lock out no other client', async () => {
  let runs = 0;
  const huge = defineTool({ ...large.definition, run: () => (runs++, 'x'.repeat(20_000_000)) });
  await using wire = await HttpWire.open(example({ tools: [huge, echo] }), stateless);
  const sockets = await Promise.all(Array.from({ length: 8 }, () => callUnread(wire)));
  await expect.poll(() => runs, { timeout: 60_000 }).toBe(8);
  for (let call = 0; call < 50; call++) expect((await wire.call('echo')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('where too much is unread, the clients that read nothing are disconnected', async () => {
  await using wire = await HttpWire.open(example({ tools: [large, echo] }), stateless, {
    limits: { maxUnreadBytes: 32_000_000 },
  });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => callUnread(wire)));
  let over = false;
  await expect
    .poll(async () => (over ||= (await wire.call('echo')).status === 503), { timeout: 20_000 })
    .toBe(true);
  const reader = await callUnread(wire);
  reader.socket.resume();
  await expect.poll(async () => (await wire.call('echo')).status, { timeout: 20_000 }).toBe(200);
  // A client that reads slowly is not disconnected either.
  const slow = await callUnread(wire);
  let isSlow = true;
  slow.socket.on('data', () => {
    if (isSlow) setTimeout(() => slow.socket.resume(), 10).unref();
    if (isSlow) slow.socket.pause();
  });
  slow.socket.resume();
  await expect.poll(async () => (await wire.call('echo')).status, { timeout: 20_000 }).toBe(200);
  isSlow = false;
  slow.socket.resume();
  expect((await slow.response()).status).toBe(200);
  for (const socket of sockets) socket.socket.resume();
  const cut = await Promise.all(
    sockets.map(async (socket) => {
      const answered = await socket.response().catch(() => undefined);
      socket.destroy();
      return answered === undefined;
    }),
  );
  expect(cut).toContain(true);
  for (const socket of [reader, slow]) socket.destroy();
});

test('a stream whose client reads in bursts keeps no listener of each', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  let readBytes = 0;
  const chunks = new Recording();
  const talkative = defineTool({
    name: 'talkative',
    description: 'Reports much.',
    run: async (_args, call) => {
      for (let step = 1; step <= 40; step++) {
        call.progress(step, undefined, 'x'.repeat(1_000_000));
        await chunks.until(() => readBytes >= step * 1_000_000);
      }
      return 'done';
    },
  });
  await using wire = await HttpWire.open(example({ tools: [talkative] }), stateless);
  const message = wire.request('tools/call', { name: 'talkative', arguments: {} }, { progressToken: 1 });
  const { body } = await wire.send(message);
  let end = '';
  for await (const chunk of body!) {
    end = Buffer.from(chunk).toString();
    readBytes += chunk.length;
    chunks.add();
  }
  expect(end).toContain('"text":"done"');
  await new Promise(setImmediate);
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('a session whose client does not read has its own limit', async () => {
  await using wire = await HttpWire.open(example({ tools: [large, echo] }), '2025-11-25', {
    limits: { maxUnreadBytesPerClient: 5_000_000 },
  });
  const deaf = wire.session!;
  const socket = await callUnread(wire);
  await wire.handshake();
  const statusOf = async (session: string) =>
    (await wire.call('echo', {}, { 'mcp-session-id': session })).status;
  await expect.poll(() => statusOf(deaf), { timeout: 20_000 }).toBe(503);
  expect(await statusOf(wire.session!)).toBe(200);
  socket.socket.resume();
  await expect.poll(() => statusOf(deaf), { timeout: 20_000 }).toBe(200);
  socket.destroy();
});

test('a client that opens many sessions ends no session of another client, and none in use', async () => {
  const authorization = { verify: (token: string) => ({ principal: token }) };
  await using wire = await HttpWire.open(
    example({ tools: [echo] }),
    '2025-11-25',
    { authorization, limits: { maxSessions: 4, maxSessionsPerClient: 2 } },
    {},
    { authorization: 'Bearer alice' },
  );
  const alice = { authorization: 'Bearer alice', 'mcp-session-id': wire.session! };
  const mallory = { authorization: 'Bearer mallory' };
  // Alice has not used hers yet, so only the limit of each client protects it.
  for (let session = 0; session < 20; session++) expect((await wire.handshake(mallory)).status).toBe(200);
  const used = { ...mallory, 'mcp-session-id': wire.session! };
  expect((await wire.call('echo', {}, used)).status).toBe(200);
  for (let session = 0; session < 20; session++) expect((await wire.handshake(mallory)).status).toBe(200);
  expect((await wire.call('echo', {}, used)).status).toBe(200);
  expect((await wire.call('echo', {}, alice)).status).toBe(200);
});

test('logs that are sent while a client is disconnected do not evict its answer', async () => {
  const { promise: away, resolve: leave } = Promise.withResolvers<void>();
  const talk = defineTool({
    name: 'talk',
    description: 'Logs much.',
    async run(_, { log }) {
      log('info', 'first');
      await away;
      for (let line = 0; line < 3_000; line++) log('info', 'x'.repeat(1_000));
      return 'The answer';
    },
  });
  const server = example({ tools: [talk], logging: true });
  await using wire = await HttpWire.open(server, '2025-11-25');
  const leaving = new AbortController();
  const reader = new EventReader(
    await wire.send(wire.request('tools/call', { name: 'talk' }), {}, leaving.signal),
  );
  let last = await reader.next();
  while (last && !last.data?.includes('first')) last = await reader.next();
  leaving.abort();
  await expect
    .poll(async () => {
      leave();
      const response = await wire.get({ 'last-event-id': last!.id! });
      if (response.status !== 200) return response.status;
      const events = await new EventReader(response).rest();
      return events.at(-1)?.data?.includes('The answer');
    })
    .toBe(true);
});

test('two Host headers, a compressed body and an answer in HTML are refused', async () => {
  await using wire = await HttpWire.open(example({ tools: [echo] }), stateless);
  const { host } = new URL(wire.url);
  const two = await raw(wire.url, { method: 'GET', headers: ['Host', host, 'Host', 'evil.example'] });
  expect(two.status).toBe(400);
  const ask = async (headers: { [name: string]: string }) =>
    refusal(await wire.send(wire.request('tools/list'), headers));
  expect(await ask({ 'content-encoding': 'gzip' })).toEqual([
    415,
    { code: -32600, message: 'Send the body without Content-Encoding, not in "gzip"' },
  ]);
  expect(await ask({ accept: 'text/html' })).toEqual([
    406,
    {
      code: -32600,
      message: 'Invalid Accept; for a POST it must include application/json or text/event-stream',
    },
  ]);
  expect((await ask({ accept: 'application/*' }))[0]).toBe(200);
});

test('a wrong path and a refused host have different errors, each with a remedy', async () => {
  const { fetch: answer, close } = webHandler(example({ tools: [echo] }), {
    allowedHosts: ['mcp.example.com'],
  });
  const get = async (url: string) => refusal(await answer(new Request(url)));
  expect(await get('http://mcp.example.com/')).toEqual([
    404,
    { code: -32600, message: 'Nothing is served at "/"; the endpoint is at "/mcp"' },
  ]);
  expect(await get('http://other.example.com/mcp')).toEqual([
    403,
    {
      code: -32600,
      message: 'The host "other.example.com" is not allowed; the server\'s `allowedHosts` must name it',
    },
  ]);
  expect((await get('http://mcp.example.com/mcp'))[0]).toBe(405);
  await close();
});
