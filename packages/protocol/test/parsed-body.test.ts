import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { defineTool } from '@mcp/protocol';
import { httpHandler, type HttpOptions } from '../src/http.ts';
import { headersOf, refusal } from './http/http-wire.ts';
import { RawSocket } from './http/raw-socket.ts';
import { example, metaOf } from './requirements/wire.ts';

const echo = defineTool({ name: 'echo', description: 'Echoes.', run: () => 'Grüße' });
const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: {}, _meta: metaOf() },
};
const post = { method: 'POST', headers: headersOf(message), body: JSON.stringify(message) };

/** A server whose requests are read by `before`, as a framework does it, before the handler gets them. */
async function serving(
  before: (request: IncomingMessage & { body?: unknown; rawBody?: unknown }) => Promise<unknown>,
  options?: HttpOptions,
) {
  const handler = httpHandler(example({ tools: [echo] }), options);
  const listener = createServer((request, response) => {
    void before(request).then(() => handler.node(request, response));
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      listener.close();
      await handler.close();
    },
  };
}

const called = async (response: Response) => (await response.json()) as unknown;
const answer = { id: 1, result: { content: [{ type: 'text', text: 'Grüße' }] } };

test.each<[what: string, key: 'body' | 'rawBody', of: (bytes: Buffer) => unknown]>([
  ['a parsed body', 'body', (bytes) => JSON.parse(bytes.toString()) as unknown],
  ['a text', 'body', (bytes) => bytes.toString()],
  ['bytes', 'body', (bytes) => bytes],
  ['raw bytes beside a body', 'rawBody', (bytes) => bytes],
])('%s that a framework has read is taken', async (_, key, of) => {
  await using server = await serving(async (request) => {
    if (key === 'rawBody') request.body = {};
    request[key] = of(await buffer(request));
  });
  expect(await called(await fetch(server.url, post))).toMatchObject(answer);
});

test.each([2_000, 50_000])('a parsed body %i levels deep is refused', async (levels) => {
  await using server = await serving(async (request) => {
    request.body = JSON.parse((await buffer(request)).toString());
  });
  const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  expect(await refusal(await fetch(server.url, { ...post, body }))).toEqual([
    400,
    { code: -32600, message: 'A message may have at most 1000 levels of nested arrays and objects' },
  ]);
  expect(await called(await fetch(server.url, post))).toMatchObject(answer);
});

test('a body that is no JSON value counts as read and not kept', async () => {
  const cyclic: { [key: string]: unknown } = {};
  cyclic['self'] = cyclic;
  for (const body of [cyclic, { id: 1n }, () => {}]) {
    await using server = await serving(async (request) => {
      await buffer(request);
      request.body = body;
    });
    const [status, error] = await refusal(await fetch(server.url, post));
    expect([status, error]).toMatchObject([
      500,
      { message: expect.stringContaining('The body has been read before') as string },
    ]);
  }
});

test('a body that was not read is read, whatever stands in its place', async () => {
  await using server = await serving(async (request) => (request.body = {}));
  expect(await called(await fetch(server.url, post))).toMatchObject(answer);
});

test('a read body has the limit of any other', async () => {
  await using server = await serving(
    async (request) => (request.body = JSON.parse((await buffer(request)).toString())),
    { limits: { maxBodyBytes: 100 } },
  );
  const chunked = new Blob([post.body]).stream();
  expect((await fetch(server.url, { ...post, body: chunked, duplex: 'half' })).status).toBe(413);
});

const consumed = [500, expect.stringContaining('has been read before')];

test('a body that was read and not kept is an error that says so', async () => {
  await using server = await serving(buffer);
  for (const body of [post.body, '']) {
    const [status, { message: text }] = (await refusal(await fetch(server.url, { ...post, body }))) as [
      number,
      { message: string },
    ];
    expect([status, text]).toEqual(consumed);
  }
});

test('a Request whose body was read is refused with the same error', async () => {
  const handler = httpHandler(example({ tools: [echo] }));
  const read = new Request('http://localhost/mcp', post);
  await read.text();
  const locked = new Request('http://localhost/mcp', post);
  locked.body!.getReader();
  for (const request of [read, locked]) {
    const [status, { message: text }] = (await refusal(await handler.fetch(request))) as [
      number,
      { message: string },
    ];
    expect([status, text]).toEqual(consumed);
  }
  await handler.close();
});

test('a client that disconnects while its token is verified leaves no running request', async () => {
  const verifying = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let first = true;
  await using server = await serving(
    async (request) => {
      if (first) request.once('close', () => gone.resolve());
    },
    {
      limits: { maxRequests: 1 },
      authorization: {
        async verify() {
          if (first) {
            verifying.resolve();
            await gone.promise;
            first = false;
          }
          return { principal: 'ada' };
        },
      },
    },
  );
  const headers = { ...post.headers, authorization: 'Bearer one' };
  const socket = await RawSocket.open(server.url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n${lines.join('')}\r\n{`);
  await verifying.promise;
  socket.destroy();
  await gone.promise;
  const [status] = await fetch(server.url, { ...post, headers }).then((r) => [r.status]);
  expect(status).toBe(200);
});
