import { expect, test } from 'vitest';
import { defineTool } from '@mcp/protocol';
import { httpHandler, serveHttp } from '../../src/http.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf, HttpWire, messageOf } from '../http/http-wire.ts';
import { RawSocket, requestText } from '../http/raw-socket.ts';
import { example, initialize, metaOf } from '../requirements/wire.ts';
import { ServerProcess } from './server-process.ts';

/** Tools that tell when they begin, and end when they are let go. */
function waiting() {
  let begun = 0;
  let more: (() => void) | undefined;
  const { promise: released, resolve: release } = Promise.withResolvers<string>();
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    run: () => {
      begun++;
      more?.();
      return released;
    },
  });
  const calls = async (count: number) => {
    while (begun < count) await new Promise<void>((resolve) => (more = resolve));
  };
  return { wait, calls, release: () => release('Waited') };
}

const modern = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: metaOf() },
});
const listening = {
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: { notifications: {}, _meta: metaOf() },
};
const waited = { result: { content: [{ text: 'Waited' }] } };

test('a server that closes answers its running requests, and accepts no more', async () => {
  const { wait, calls, release } = waiting();
  const wire = await HttpWire.open(example({ tools: [wait] }), '2025-11-25', {
    sse: { path: '/sse', postPath: '/messages' },
  });
  const inSession = wire.call('wait');
  const alone = wire.post(modern('wait'), headersOf(modern('wait')));
  const listened = new EventReader(await wire.post(listening, headersOf(listening)));
  const events = new EventReader(await wire.get());
  const old = new EventReader(await fetch(new URL('/sse', wire.url)));
  const { data: endpoint } = (await old.next())!;
  await fetch(new URL(endpoint!, wire.url), {
    method: 'POST',
    headers: basics,
    body: JSON.stringify(modern('wait')),
  });
  await calls(3);
  const closed = wire.close();
  // Streams that wait for nothing end immediately, others with their answer.
  await listened.rest();
  // Connections are accepted until nobody is connecting.
  const connecting = () => RawSocket.open(wire.url).catch((error: unknown) => error);
  await expect.poll(connecting).toMatchObject({ code: 'ECONNREFUSED' });
  release();
  expect(await messageOf(await inSession)).toMatchObject(waited);
  expect(await messageOf(await alone)).toMatchObject(waited);
  expect(await old.message()).toMatchObject(waited);
  expect(await old.next()).toBeUndefined();
  await events.rest();
  await closed;
});

test('a server that closes answers the requests that are on their way', async () => {
  const { wait, release } = waiting();
  release();
  const wire = await HttpWire.open(example({ tools: [wait] }), '2025-11-25');
  const message = modern('wait');
  const text = requestText(wire.url, { headers: headersOf(message), body: JSON.stringify(message) });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => RawSocket.open(wire.url)));
  for (const socket of sockets) socket.write(text);
  const closed = wire.close();
  for (const socket of sockets) expect((await socket.response()).status).toBe(200);
  await closed;
});

test('a closed handler refuses later requests', async () => {
  const handler = httpHandler(example());
  await handler.close();
  for (const message of [initialize(1, '2025-11-25'), listening]) {
    const init = { method: 'POST', headers: headersOf(message), body: JSON.stringify(message) };
    const response = await handler.fetch(new Request('http://localhost/mcp', init));
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { error: { message: 'This server is closing' } },
    ]);
  }
  await handler.close();
});

test('a process ends when its server is closed, even with connected clients', async () => {
  await using server = new ServerProcess('serve-http', { limits: { graceMs: 50 } });
  const url = (await server.next()) as unknown as string;
  const send = (message: { method: string }, headers: { [name: string]: string }) =>
    RawSocket.open(url).then((socket) => {
      socket.write(requestText(url, { headers, body: JSON.stringify(message) }));
      return socket;
    });
  const opened = await fetch(url, {
    method: 'POST',
    headers: basics,
    body: JSON.stringify(initialize(1, '2025-11-25')),
  });
  const session = { ...basics, 'mcp-session-id': opened.headers.get('mcp-session-id')! };
  await opened.text();
  const inSession = (name: string, args: object = {}) => ({
    jsonrpc: '2.0',
    id: crypto.randomUUID(),
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const unused = await RawSocket.open(url);
  const partial = await RawSocket.open(url);
  partial.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n');
  const hanging = await send(modern('hang'), headersOf(modern('hang')));
  const busy = await send(inSession('hang_busily'), session);
  const listened = await send(listening, headersOf(listening));
  await listened.until('acknowledged');
  const deaf = await send(inSession('repeat', { times: 20_000_000 }), session);
  deaf.socket.pause();
  const sockets = [unused, partial, hanging, busy, listened, deaf];
  server.child.stdin.end();
  await listened.until('"resultType":"complete"');
  for (const socket of sockets) {
    socket.socket.resume();
    await socket.closed();
  }
  await server.until(() => !server.stderr.includes('failed'));
  server.child.kill('SIGKILL');
  await server.exited;
});

test('a process whose only server is closed ends by itself', async () => {
  await using server = new ServerProcess('serve-http', { limits: { graceMs: 50 } });
  const url = (await server.next()) as unknown as string;
  for (let count = 0; count < 20; count++) {
    const response = await fetch(url, {
      method: 'POST',
      headers: basics,
      body: JSON.stringify(initialize(1, '2025-11-25')),
    });
    const session = { ...basics, 'mcp-session-id': response.headers.get('mcp-session-id')! };
    await response.text();
    await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
    const call = modern('echo');
    expect(
      (await fetch(url, { method: 'POST', headers: headersOf(call), body: JSON.stringify(call) })).status,
    ).toBe(200);
  }
  server.child.stdin.end();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
});

test('a port in use rejects serveHttp', async () => {
  const first = await serveHttp(example());
  const port = Number(new URL(first.url).port);
  await expect(serveHttp(example(), { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.close();
  const second = await serveHttp(example(), { port });
  expect(second.url).toBe(first.url);
  await second.close();
});
