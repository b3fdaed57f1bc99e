import { expect, test } from 'vitest';
import { defineTool } from '@mcp/protocol';
import { headersOf, HttpWire } from '../http/http-wire.ts';
import { RawSocket, requestText } from '../http/raw-socket.ts';
import { example, stateless } from '../requirements/wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const server = example({ tools: [hello] });
const timeouts = { headersMs: 40, requestMs: 80, idleMs: 100 };
const slowly = (host: string, ...lines: string[]) =>
  ['POST /mcp HTTP/1.1', `Host: ${host}`, ...lines].join('\r\n');

/** Sends a request again while it is timed out: on a busy machine every request can be slow. */
async function answered<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await send();
  return answer.status === 408 ? answered(send) : answer;
}

test('a request head that never ends is timed out', async () => {
  await using wire = await HttpWire.open(server, stateless, { timeouts });
  const { host } = new URL(wire.url);
  const sockets = await Promise.all(Array.from({ length: 50 }, () => RawSocket.open(wire.url)));
  for (const socket of sockets) socket.write(slowly(host, 'X-Slow: a'));
  for (const socket of sockets) expect(await socket.closed()).toMatch(/^HTTP\/1.1 408 /);
  expect((await answered(() => wire.call('hello'))).status).toBe(200);
});

test('a request head that arrives slowly is timed out', async () => {
  await using wire = await HttpWire.open(server, stateless, { timeouts });
  const socket = await RawSocket.open(wire.url);
  socket.write(slowly(new URL(wire.url).host));
  const drip = setInterval(() => socket.write('\r\nX: y'), 10);
  expect(await socket.closed()).toMatch(/^HTTP\/1.1 408 /);
  clearInterval(drip);
});

test('a body that never ends is timed out, and its memory is freed', async () => {
  const warnings: string[] = [];
  const limits = { maxRequests: 60, maxBodyBytes: 1_000 };
  await using wire = await HttpWire.open(server, stateless, {
    timeouts,
    limits,
    onWarning: (message) => void warnings.push(message),
  });
  const message = wire.request('tools/call', { name: 'hello' });
  const head = (more: { [name: string]: string }) =>
    requestText(wire.url, { headers: { ...headersOf(message), ...more } });
  const sockets = await Promise.all(Array.from({ length: 60 }, () => RawSocket.open(wire.url)));
  for (const [index, socket] of sockets.entries()) {
    if (index % 2 === 0) socket.write(`${head({ 'content-length': '500' })}{"jsonrpc":`);
    else socket.write(`${head({ 'transfer-encoding': 'chunked' })}5\r\n{"jso\r\n`);
  }
  for (const socket of sockets) expect(await socket.closed()).toMatch(/^HTTP\/1.1 408 /);
  expect((await answered(() => wire.call('hello'))).status).toBe(200);
  expect(warnings).toEqual([]);
});

test('a body over the limit that never ends is timed out', async () => {
  await using wire = await HttpWire.open(server, stateless, { timeouts, limits: { maxBodyBytes: 100 } });
  const message = wire.request('tools/call', { name: 'hello' });
  const socket = await RawSocket.open(wire.url);
  socket.write(requestText(wire.url, { headers: { ...headersOf(message), 'transfer-encoding': 'chunked' } }));
  const pour = setInterval(() => socket.write(`400\r\n${'x'.repeat(1024)}\r\n`), 5);
  expect(await socket.response()).toMatchObject({ status: 413 });
  await socket.closed();
  clearInterval(pour);
});

test('an idle connection is closed', async () => {
  await using wire = await HttpWire.open(server, stateless, { timeouts });
  const silent = await RawSocket.open(wire.url);
  expect(await silent.closed()).toMatch(/^(HTTP\/1.1 408 |$)/);
  const message = wire.request('tools/call', { name: 'hello' });
  const { status, socket } = await answered(async () => {
    const once = await RawSocket.open(wire.url);
    once.write(requestText(wire.url, { headers: headersOf(message), body: JSON.stringify(message) }));
    return { status: (await once.response()).status, socket: once };
  });
  expect(status).toBe(200);
  expect(await socket.closed()).toBe('');
});

test('a running call is not subject to these timeouts', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<string>();
  const wait = defineTool({ name: 'wait', description: 'Waits.', run: () => released });
  await using wire = await HttpWire.open(example({ tools: [wait] }), stateless, { timeouts });
  const waiting = answered(() => wire.call('wait'));
  // A later connection has been closed.
  const later = await RawSocket.open(wire.url);
  later.write(slowly(new URL(wire.url).host));
  await later.closed();
  const last = await RawSocket.open(wire.url);
  last.write(slowly(new URL(wire.url).host));
  await last.closed();
  release('Waited');
  expect(await (await waiting).json()).toMatchObject({ result: { content: [{ text: 'Waited' }] } });
});

test('a client that does not read its answer is disconnected', async () => {
  const { promise: cancelled, resolve: cancels } = Promise.withResolvers<void>();
  const large = defineTool({ name: 'large', description: 'Says much.', run: () => 'x'.repeat(20_000_000) });
  const follow = defineTool({
    name: 'follow',
    description: 'Tells without end.',
    run: async (_, { signal, progress }) => {
      for (let done = 1; !signal.aborted; done++) {
        progress(done, undefined, 'x'.repeat(10_000));
        await new Promise(setImmediate);
      }
      cancels();
      return 'Followed';
    },
  });
  const limits = { stalledMs: 500 };
  await using wire = await HttpWire.open(example({ tools: [large, follow, hello] }), stateless, { limits });
  const send = async (name: string) => {
    const message = wire.request('tools/call', { name }, { progressToken: 1 });
    const socket = await RawSocket.open(wire.url);
    socket.write(requestText(wire.url, { headers: headersOf(message), body: JSON.stringify(message) }));
    return socket;
  };
  // A client that reads gets the whole answer.
  expect((await (await wire.call('large')).text()).length).toBeGreaterThan(20_000_000);
  const silent = await send('large');
  await silent.until('HTTP/1.1 200 OK');
  silent.socket.pause();
  const deaf = await send('follow');
  deaf.socket.pause();
  // It has stopped later than the other.
  await cancelled;
  silent.socket.resume();
  // Only the buffered text arrives.
  expect((await silent.closed()).length).toBeLessThan(20_000_000);
  deaf.destroy();
});
