import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { StreamChannel } from '@mcp/protocol/stdio';
import { call, cancel, initialize, modern, notification, ping, pong, said } from './messages.ts';
import { ServerProcess } from './server-process.ts';

// They transfer hundreds of megabytes.
vi.setConfig({ testTimeout: 120_000 });

const graceMs = 50;

/** A server whose client does not read at first. */
function unread(fixture = 'serve-misbehaving', options: object = {}): ServerProcess {
  const server = new ServerProcess(fixture, { graceMs, sayPauses: true, ...options }, { reading: false });
  server.send(initialize('2025-11-25'), notification('notifications/initialized'));
  return server;
}

/** Resolves once the server has begun to answer and has stopped reading its input. */
async function stalled(server: ServerProcess): Promise<void> {
  await server.answering();
  await server.until(() => server.stderr.includes('paused\n'));
}

/** Ends a server that has nothing to say but when it paused. */
async function endWell(server: ServerProcess): Promise<void> {
  const { code, stderr } = await server.end();
  expect({ code, stderr: stderr.replaceAll('paused\n', '') }).toEqual({ code: 0, stderr: '' });
}

test.each([
  [20_000, 'repeat_later'],
  [4_000, 'repeat'],
])('a client that stops reading while %i answers of 20 kB are due to it (%s)', async (count, tool) => {
  await using server = unread();
  server.send(...Array.from({ length: count }, (_, id) => call(id, tool, { times: 20_000 })));
  await stalled(server);
  expect(server.peakMegabytes).toBeLessThan(150);
  const { lines, bytes } = await server.readThrough(count + 1);
  expect(lines).toBe(count + 1);
  expect(bytes).toBeGreaterThan(count * 20_000);
  expect(server.peakMegabytes).toBeLessThan(400);
  await endWell(server);
});

test('the server stops reading from a client that does not read its answers', async () => {
  await using server = unread();
  const text = 'x'.repeat(100_000);
  server.send(...Array.from({ length: 1_000 }, (_, id) => call(id, 'echo', { text })));
  await stalled(server);
  expect(server.bytesRead).toBeLessThan(20_000_000);
  expect(server.peakMegabytes).toBeLessThan(150);
  expect((await server.readThrough(1_001)).lines).toBe(1_001);
  await endWell(server);
});

test('one chunk of small requests for large answers does not fill the memory', async () => {
  await using server = unread();
  server.send(...Array.from({ length: 150 }, (_, id) => call(id, 'repeat', { times: 1_000_000 })));
  await stalled(server);
  expect(server.peakMegabytes).toBeLessThan(150);
  expect((await server.readThrough(151)).lines).toBe(151);
  await endWell(server);
});

test('output is written in pieces below the maximum string length', async () => {
  const pieces: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(piece: string, _, done) {
      pieces.push(piece);
      setImmediate(done);
    },
  });
  const channel = new StreamChannel(new PassThrough(), output);
  const messages = Array.from({ length: 1_000 }, (_, index) => `${index} ${'x'.repeat(20_000)}`);
  for (const message of messages) channel.send(message);
  await channel.drained();
  for (const message of messages) channel.send(message);
  await channel.close();
  expect(pieces.join('')).toBe([...messages, ...messages, ''].join('\n'));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
});

test.each([
  ['at the end of input', (server: ServerProcess) => void server.child.stdin.end()],
  ['on SIGTERM', (server: ServerProcess) => void server.child.kill('SIGTERM')],
])('a client that never reads does not keep the process alive %s', async (_, stop) => {
  await using server = unread();
  server.send(...Array.from({ length: 500 }, (__, id) => call(id, 'repeat', { times: 20_000 })));
  await server.answering();
  stop(server);
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test('a signal ends a server that has stopped reading because its client never reads', async () => {
  await using server = unread();
  server.send(...Array.from({ length: 20_000 }, (_, id) => call(id, 'repeat', { times: 20_000 })));
  await stalled(server);
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test('logs and progress that a client does not read are dropped', async () => {
  await using server = unread();
  server.send(call(1, 'log_much', { times: 200_000 }, { progressToken: 1 }), {
    jsonrpc: '2.0',
    id: 2,
    method: 'logging/setLevel',
    params: { level: 'debug' },
  });
  let last: unknown;
  let lines = 0;
  // The tool ends although the client does not read.
  await server.until(() => server.stderr.includes('logged'));
  expect(server.peakMegabytes).toBeLessThan(150);
  server.readLines((line) => {
    lines++;
    if (line.includes('"id":1,')) last = JSON.parse(line);
  });
  await server.until(() => last !== undefined);
  expect(last).toEqual(said(1, 'Logged'));
  expect(lines).toBeLessThan(10_000);
});

test('a thousand hanging handlers do not block other requests', async () => {
  await using server = new ServerProcess('serve-misbehaving', { graceMs });
  await server.ask(initialize('2025-11-25'));
  server.send(
    ...Array.from({ length: 3_000 }, (_, id) => call(id, 'hang')),
    ping('a'),
    modern('b', 'server/discover'),
  );
  expect(await server.next()).toEqual(pong('a'));
  expect(await server.next()).toMatchObject({ id: 'b', result: { resultType: 'complete' } });
  server.send(call(5, 'echo', { text: 'in use' }));
  expect(await server.next()).toMatchObject({ id: 5, error: { code: -32600 } });
  server.send(cancel(5), call(5, 'echo', { text: 'free' }));
  expect(await server.next()).toEqual(said(5, 'free'));
  expect(await server.end()).toMatchObject({ messages: [], code: 0 });
});

test('handlers that wait for the client do not block its answers', async () => {
  await using server = new ServerProcess('serve-misbehaving', { graceMs, maxRunning: 10 });
  await server.ask(initialize('2025-11-25', 'init', { elicitation: {} }));
  server.send(notification('notifications/initialized'));
  server.send(...Array.from({ length: 500 }, (_, id) => call(id, 'ask')));
  let answered = 0;
  while (answered < 500) {
    const message = await server.next();
    if (message['method'] === 'elicitation/create') {
      server.send({
        jsonrpc: '2.0',
        id: message['id'],
        result: { action: 'accept', content: { sure: true } },
      });
    } else {
      expect(message).toMatchObject({ result: { content: [{ type: 'text' }] } });
      answered++;
    }
  }
  expect(await server.end()).toMatchObject({ messages: [], code: 0 });
});

test('every request is answered when only a few may run at once', async () => {
  await using server = new ServerProcess('serve-misbehaving', { graceMs, maxRunning: 1 });
  await server.ask(initialize('2025-11-25'));
  server.send(...Array.from({ length: 5_000 }, (_, id) => call(id, 'echo_later', { text: 'a' })));
  const ids = (await server.take(5_000)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(5_000);
});
