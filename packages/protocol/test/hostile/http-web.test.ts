import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { defineTool, LiveList } from '@mcp/protocol';
import { httpHandler, type HttpOptions } from '../../src/http.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, refusal } from '../http/http-wire.ts';
import { example, initialize, metaOf } from '../requirements/wire.ts';

const echo = defineTool({ name: 'echo', description: 'Echoes.', run: () => 'Echo' });

function serving(options?: HttpOptions) {
  const handler = httpHandler(example({ tools: new LiveList([echo]) }), options);
  return {
    send: (init: RequestInit, url = 'http://localhost/mcp') => handler.fetch(new Request(url, init)),
    [Symbol.asyncDispose]: () => handler.close(),
  };
}

const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: {}, _meta: metaOf() },
};
const post = { method: 'POST', headers: headersOf(message), body: JSON.stringify(message) };

test('the host of the URL is checked if there is no Host header', async () => {
  await using web = serving();
  expect((await web.send(post)).status).toBe(200);
  expect((await web.send(post, 'http://[::1]:8080/mcp')).status).toBe(200);
  expect((await web.send(post, 'http://evil.example/mcp')).status).toBe(403);
  expect((await web.send(post, 'http://localhost/other')).status).toBe(404);
});

test('a body over the limit is refused, with and without its length', async () => {
  await using web = serving({ limits: { maxBodyBytes: 1_000 } });
  const long = 'x'.repeat(1_001);
  expect((await web.send({ ...post, body: long })).status).toBe(413);
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new TextEncoder().encode('x'.repeat(100)));
    },
  });
  expect((await web.send({ ...post, body: endless, duplex: 'half' })).status).toBe(413);
  expect(pulled).toBeLessThan(20);
  expect((await web.send(post)).status).toBe(200);
});

test('a body that breaks off does not affect other requests', async () => {
  const warnings: string[] = [];
  await using web = serving({ limits: { maxRequests: 1 }, onWarning: (text) => void warnings.push(text) });
  const broken = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('Gone'));
      },
    });
  for (let count = 0; count < 3; count++) {
    expect((await web.send({ ...post, body: broken(), duplex: 'half' })).status).toBe(413);
  }
  expect((await web.send({ method: 'POST', headers: post.headers })).status).toBe(400);
  expect((await web.send(post)).status).toBe(200);
  expect(warnings).toEqual([]);
});

test('a session and its streams work', async () => {
  await using web = serving();
  const opened = await web.send({
    ...post,
    headers: basics,
    body: JSON.stringify(initialize(1, '2025-11-25')),
  });
  const headers = { ...basics, 'mcp-session-id': opened.headers.get('mcp-session-id')! };
  const stream = await web.send({ headers: { ...headers, accept: 'text/event-stream' } });
  const events = new EventReader(stream);
  expect(await events.next()).toEqual({ id: '0-0', data: '' });
  const received = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accepted = await web.send({ method: 'POST', headers, body: JSON.stringify(received) });
  expect([accepted.status, await accepted.text()]).toEqual([202, '']);
  const ended = await web.send({ method: 'DELETE', headers });
  expect([ended.status, await ended.text()]).toEqual([204, '']);
  expect(await events.next()).toBeUndefined();
  expect(await refusal(await web.send({ method: 'DELETE', headers }))).toMatchObject([404, {}]);
  expect((await web.send({ method: 'OPTIONS' })).status).toBe(204);
});

test('the fetch entry serves a session and its streams without node:http', async () => {
  const program = fileURLToPath(new URL('without-http.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@mcp/source',
    '--no-warnings',
    program,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    statuses: [200, 200, 202, 204, 404],
    first: { id: '0-0', data: '' },
    ended: true,
  });
});
