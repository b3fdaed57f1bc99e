import { expect, test as alone } from 'vitest';
import { call, failed, failure, initialize, ping, pong, said } from './messages.ts';
import { ServerProcess } from './server-process.ts';

const test = alone.concurrent;

async function started(options: object = {}): Promise<ServerProcess> {
  const server = new ServerProcess('serve-misbehaving', { graceMs: 50, ...options });
  await server.ask(initialize('2025-11-25'));
  return server;
}

const line = (message: unknown) => `${JSON.stringify(message)}\n`;
const utf8 = failure(undefined, -32700, 'A message must be UTF-8');

test('lines may end with LF or CRLF, and empty lines are ignored', async () => {
  await using server = await started();
  server.write(`\n\r\n\n${JSON.stringify(ping(1))}\r\n\r\n${line(ping(2))}\n\n`);
  expect(await server.take(2)).toEqual([pong(1), pong(2)]);
  expect(await server.end()).toEqual({ messages: [], stderr: '', code: 0, signal: null });
});

test('a byte order mark at the start is ignored', async () => {
  await using server = new ServerProcess('serve-misbehaving');
  server.write(Buffer.from([0xef]));
  server.write(Buffer.from([0xbb, 0xbf]));
  expect(await server.ask(ping(1))).toEqual(pong(1));
  // Anywhere else it is no JSON.
  server.write(`\ufeff${line(ping(2))}`);
  expect(await server.next()).toMatchObject({ error: { code: -32700 } });
  expect(await server.ask(ping(3))).toEqual(pong(3));
});

test('a line that is not UTF-8 is refused, and the next line is read', async () => {
  await using server = await started();
  server.write(
    Buffer.concat([
      Buffer.from(line(ping(1))),
      Buffer.from('{"jsonrpc":"2.0","id":2,"method":"\xff"}\n', 'latin1'),
      // Half of a character, then a surrogate in three bytes.
      Buffer.from([0x22, 0xc3, 0x22, 0x0a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x0a]),
      Buffer.from(line(ping(3))),
    ]),
  );
  expect(await server.take(5)).toEqual([pong(1), utf8, utf8, utf8, pong(3)]);
});

test('a NUL character is a parse error', async () => {
  await using server = await started();
  server.write(`\0\n${JSON.stringify(ping(1))}\0\n${line(ping(2))}`);
  expect(await server.take(3)).toMatchObject([
    { error: { code: -32700 } },
    { error: { code: -32700 } },
    pong(2),
  ]);
});

test('a message may arrive byte by byte', async () => {
  await using server = await started();
  const bytes = Buffer.from(line(call(1, 'echo', { text: 'aé€😀' })));
  for (let end = 0; end < bytes.length; end++) {
    server.write(bytes.subarray(end, end + 1));
    await new Promise(setImmediate);
  }
  expect(await server.next()).toEqual(said(1, 'aé€😀'));
});

test('a message may be split at any byte, with others before and after it', async () => {
  await using server = await started();
  const bytes = Buffer.from(line(call(1, 'echo', { text: 'é😀' })));
  for (let cut = 1; cut < bytes.length; cut++) {
    server.write(Buffer.concat([Buffer.from(line(ping('before'))), bytes.subarray(0, cut)]));
    await new Promise(setImmediate);
    server.write(Buffer.concat([bytes.subarray(cut), Buffer.from(line(ping('after')))]));
    expect(await server.take(3)).toEqual([pong('before'), said(1, 'é😀'), pong('after')]);
  }
});

test('many messages may arrive in one chunk', async () => {
  await using server = await started();
  const ids = Array.from({ length: 20_000 }, (_, id) => id);
  server.send(...ids.map((id) => ping(id)));
  expect(await server.take(ids.length)).toEqual(ids.map((id) => pong(id)));
});

test('the last message needs no newline', async () => {
  await using server = await started();
  server.write(JSON.stringify(ping(1)));
  expect(await server.end()).toMatchObject({ messages: [pong(1)], code: 0 });
});

test('an incomplete message at the end of input is a parse error', async () => {
  await using server = await started();
  server.write('{"jsonrpc":"2.0","id":1,"meth');
  expect(await server.end()).toMatchObject({ messages: [{ error: { code: -32700 } }], code: 0 });
});

test.each([1_000, 100_000])(
  'a line of more than %i bytes is refused once, and the rest of it is skipped',
  async (maxMessageBytes) => {
    await using server = await started({ maxMessageBytes });
    const tooLong = failure(undefined, -32600, `A message may have at most ${maxMessageBytes} bytes`);
    const text = (bytes: number) => 'x'.repeat(bytes - line(call(1, 'echo', { text: '' })).length + 1);
    server.send(call(1, 'echo', { text: text(maxMessageBytes) }));
    expect(await server.next()).toEqual(said(1, text(maxMessageBytes)));
    server.send(call(1, 'echo', { text: text(maxMessageBytes + 1) }), ping(2));
    expect(await server.take(2)).toEqual([tooLong, pong(2)]);
    // In pieces, each of which looks like a message.
    for (let piece = 0; piece < 100; piece++) {
      server.write(JSON.stringify(call(piece, 'echo', { text: 'x'.repeat(maxMessageBytes / 50) })));
      await new Promise(setImmediate);
    }
    server.write('\n');
    server.send(ping(3));
    expect(await server.take(2)).toEqual([tooLong, pong(3)]);
    server.write('x'.repeat(maxMessageBytes + 1));
    expect(await server.end()).toMatchObject({ messages: [tooLong], code: 0 });
  },
);

test('sixty million levels of nesting need no more memory than sixty million characters', async () => {
  await using server = await started();
  const levels = '['.repeat(1_000_000);
  for (let million = 0; million < 60; million++) server.write(levels);
  server.write('\n');
  expect(await server.next()).toEqual(
    failure(undefined, -32600, 'A message may have at most 1000 levels of nested arrays and objects'),
  );
  expect(await server.ask(ping(1))).toEqual(pong(1));
  expect(server.peakMegabytes).toBeLessThan(400);
});

test('a URI as long as a message is matched in the time it takes to read it', async () => {
  await using server = await started();
  const uri = `thing:///${'a%20'.repeat(500_000)}`;
  server.send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
  expect(await server.next()).toMatchObject({ id: 1, result: { contents: [{ uri }] } });
  server.send({ jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: `${uri}/` } });
  expect(await server.next()).toMatchObject({ id: 2, error: { code: -32002 } });
  expect(await server.ask(call(3, 'throw', { what: 'string' }))).toEqual(failed(3, 'just words'));
});
