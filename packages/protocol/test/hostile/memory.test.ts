import { expect, test } from 'vitest';
import { call, cancel, initialize, modern, notification, request } from './messages.ts';
import { ServerProcess } from './server-process.ts';

/** Everything a client can begin and end, many times over; `id` is the first of its ids. */
function everything(id: number): { messages: object[]; answers: number } {
  const messages: object[] = [];
  let answers = 0;
  const asks = (message: object) => {
    messages.push(message);
    answers++;
  };
  for (let own = id; own < id + 2_000; own += 10) {
    asks(call(own, 'echo', { text: 'a' }));
    asks(call(own + 1, 'echo_later', { text: 'a' }, { progressToken: own }));
    asks(call(own + 2, 'throw_later', { what: 'string' }));
    asks(request(own + 3, 'no/such/method'));
    asks(request(own + 4, 'resources/read', { uri: `thing:///${own}` }));
    asks(modern(own + 5, 'tools/call', { name: 'ask' }));
    asks(request(own + 6, 'resources/read', { uri: `other:///${own}` }));
    messages.push(call(own + 7, 'until_cancelled'), cancel(own + 7), call(own + 8, 'ask'), cancel(own + 8));
    messages.push(modern(own + 9, 'subscriptions/listen', { notifications: {} }), cancel(own + 9));
    messages.push(notification('notifications/progress'), { jsonrpc: '2.0', id: own, result: {} });
  }
  return { messages, answers };
}

test('a connection frees the memory of finished requests', async () => {
  await using server = new ServerProcess('serve-misbehaving', { graceMs: 50 });
  await server.ask(initialize('2025-11-25', 'init', { elicitation: {} }));
  server.send(notification('notifications/initialized'));

  const megabytesAfter = async (from: number, rounds: number) => {
    for (let round = from; round < from + rounds; round++) {
      const { messages, answers } = everything(round * 2_000);
      server.send(...messages);
      for (let left = answers; left > 0;) {
        const message = await server.next();
        if ('id' in message && !('method' in message)) left--;
      }
    }
    server.send(call('heap', 'heap'));
    let message = await server.next();
    while (message['id'] !== 'heap') message = await server.next();
    const { content } = message['result'] as { content: [{ text: string }] };
    return Number(content[0].text) / 1e6;
  };

  const before = await megabytesAfter(0, 4);
  expect((await megabytesAfter(4, 20)) - before).toBeLessThan(1);
  expect(await server.end()).toMatchObject({ code: 0 });
});
