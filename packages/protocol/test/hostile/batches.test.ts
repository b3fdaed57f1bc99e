import { describe, expect, test } from 'vitest';
import { RawConnection } from '@mcp/protocol/testing';
import { misbehavingServer } from '../fixtures/misbehaving-server.ts';
import { call, cancel, failure, initialize, modern, notification, ping, pong, said } from './messages.ts';

async function conversation(version: string): Promise<RawConnection> {
  const connection = new RawConnection(misbehavingServer());
  await connection.ask(initialize(version));
  return connection;
}

describe.each(['2025-11-25', '2025-06-18', '2024-11-05'])('at %s', (version) => {
  test.each([
    ['empty', []],
    ['of one request', [ping(1)]],
    ['of notifications', [notification('notifications/initialized')]],
    ['of requests that stand alone', [modern(1, 'tools/list')]],
  ])('a batch %s is refused as a whole', async (_, batch) => {
    const connection = await conversation(version);
    expect(await connection.ask(batch)).toEqual(
      failure(undefined, -32600, 'Send one message at a time, not an array of them'),
    );
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
  });
});

describe('at 2025-03-26', () => {
  const noObject = failure(undefined, -32600, 'A message must be a JSON object');

  test.each<[string, unknown[], unknown]>([
    ['an empty batch', [], failure(undefined, -32600, 'A batch must have at least one message')],
    ['a batch in a batch', [[ping(1)], ping(2)], [noObject, pong(2)]],
    ['an empty batch in a batch', [[]], [noObject]],
    ['nothing but rubbish', [1, null, 'a', true], [noObject, noObject, noObject, noObject]],
    [
      'invalid values among requests',
      [ping(1), {}, ping(2), { jsonrpc: '2.0', id: 3, method: 4 }],
      [
        pong(1),
        failure(undefined, -32600, '"jsonrpc" must be "2.0"'),
        pong(2),
        failure(3, -32600, '"method" must be a string'),
      ],
    ],
    [
      'a handshake in a batch',
      [initialize('2025-06-18', 1), ping(2)],
      [failure(1, -32600, 'initialize must not be part of a batch'), pong(2)],
    ],
    [
      'stateless requests',
      [modern(1, 'server/discover'), modern(2, 'subscriptions/listen', { notifications: {} }), ping(3)],
      [
        failure(1, -32600, 'A request of protocol version 2026-07-28 must not be part of a batch'),
        failure(2, -32600, 'A request of protocol version 2026-07-28 must not be part of a batch'),
        pong(3),
      ],
    ],
    [
      'one id twice',
      [call(1, 'echo_later', { text: 'a' }), call(1, 'echo', { text: 'b' })],
      [failure(1, -32600, 'A request with the id 1 is still being answered'), said(1, 'a')],
    ],
    [
      'answers among requests',
      [{ jsonrpc: '2.0', id: 5, result: {} }, ping(1), notification('notifications/unheard_of')],
      [pong(1)],
    ],
    [
      'slow and quick requests',
      [call(1, 'echo_later', { text: 'slow' }), call(2, 'echo', { text: 'quick' })],
      [said(2, 'quick'), said(1, 'slow')],
    ],
    ['a request and its cancellation', [call(1, 'hang'), cancel(1), ping(2)], [pong(2)]],
  ])('%s', async (_, batch, answer) => {
    const connection = await conversation('2025-03-26');
    expect(await connection.ask(batch)).toEqual(answer);
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.end()).toEqual([]);
  });

  test.each<[string, unknown[]]>([
    ['notifications', [notification('notifications/initialized'), notification('notifications/unheard_of')]],
    [
      'answers',
      [
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 2, error: { code: 1, message: '' } },
      ],
    ],
    ['a request that it cancels', [call(1, 'hang'), cancel(1)]],
  ])('nothing answers a batch of %s', async (_, batch) => {
    const connection = await conversation('2025-03-26');
    connection.send(batch);
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.end()).toEqual([]);
  });

  test('a batch is answered when its last request is cancelled from outside', async () => {
    const connection = await conversation('2025-03-26');
    connection.send([ping(1), call(2, 'hang'), call(3, 'until_cancelled')]);
    connection.send(cancel(3));
    connection.send(cancel(2));
    expect(await connection.next()).toEqual([pong(1)]);
    expect(await connection.end()).toEqual([]);
  });

  test('two batches at once do not mix', async () => {
    const connection = await conversation('2025-03-26');
    connection.send([call(1, 'echo_later', { text: 'a' }), ping(2)]);
    connection.send([ping(3)]);
    expect(await connection.next()).toEqual([pong(3)]);
    expect(await connection.next()).toEqual([pong(2), said(1, 'a')]);
  });

  test('a batch with too many messages is refused as a whole', async () => {
    const connection = await conversation('2025-03-26');
    const many = Array.from({ length: 1_000 }, (_, id) => ping(id));
    expect(await connection.ask(many)).toEqual(many.map((_, id) => pong(id)));
    expect(await connection.ask([...many, ping(1_000)])).toEqual(
      failure(undefined, -32600, 'A batch may have at most 1000 messages'),
    );
  });

  test('answers that are too long for one array are sent one by one', async () => {
    const connection = await conversation('2025-03-26');
    const batch = [1, 2, 3].map((id) => call(id, 'repeat', { times: 12 * 1024 * 1024 }));
    connection.send(batch);
    const ids = [await connection.next(), await connection.next(), await connection.next()].map(
      ({ id }) => id,
    );
    expect(ids).toEqual([1, 2, 3]);
    expect(await connection.end()).toEqual([]);
  });
});
