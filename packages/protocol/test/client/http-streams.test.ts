import { Client, type ClientOptions, serverAt } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { type Exchange, event, type Handlers, scriptedHttp, session, stateless } from './scripted-http.ts';
import { Recording } from './recording.ts';

const subscribing: Handlers = {
  ...session,
  'resources/subscribe': ({ result }) => result({}),
  'resources/unsubscribe': ({ result }) => result({}),
};
const updated = event({ method: 'notifications/resources/updated', params: { uri: 'x:///' } });

const connect = (url: string, options: ClientOptions = {}): Promise<Client> =>
  Client.connect(serverAt(url), { revision: '2025-11-25', ...options });

test.each([409, 429, 503])(
  'a notification stream that the server refuses with %s is requested again',
  async (status) => {
    const streams: Exchange[] = [];
    const { url, until } = await scriptedHttp({
      ...subscribing,
      GET: (exchange) => {
        streams.push(exchange);
        // A server may still hold the stream that the client has lost.
        if (streams.length === 2) exchange.response.writeHead(status).end();
        else exchange.stream().write('retry: 100\n\n');
      },
    });
    await using client = await connect(url);
    const changes = new Recording();
    await client.subscribe('x:///', changes.add);
    await until(() => streams.length === 1);
    streams[0]?.response.end();
    await until(() => streams.length === 3);
    const before = changes.events.length;
    streams[2]?.response.write(updated);
    await changes.has(before + 1);
  },
);

test('a change during the gap between two notification streams reaches its subscriber', async () => {
  const streams: Exchange[] = [];
  const { url, until } = await scriptedHttp({
    ...subscribing,
    GET: (exchange) => {
      streams.push(exchange);
      exchange.stream().write('retry: 100\n\n');
    },
  });
  await using client = await connect(url);
  const changes = new Recording();
  await client.subscribe('x:///', changes.add);
  await until(() => streams.length === 1);
  // The events have no ids, so that the server cannot repeat the messages it sends meanwhile.
  streams[0]?.response.end();
  await changes.has(1);
  expect(streams).toHaveLength(2);
});

test('a notification stream that the server cannot resume begins anew, and changes may be missed', async () => {
  const streams: Exchange[] = [];
  const { url, until } = await scriptedHttp({
    ...subscribing,
    GET: (exchange) => {
      streams.push(exchange);
      if (exchange.headers['last-event-id'] !== undefined) exchange.response.writeHead(400).end();
      else exchange.stream().write('retry: 100\n\n');
    },
  });
  await using client = await connect(url);
  const changes = new Recording();
  await client.subscribe('x:///', changes.add);
  await until(() => streams.length === 1);
  streams[0]?.response.end(
    event({ method: 'notifications/message', params: { level: 'info', data: '' } }, '7'),
  );
  await until(() => streams.length === 3);
  expect(streams[1]?.headers).toMatchObject({ 'last-event-id': '7' });
  await changes.has(1);
  streams[2]?.response.write(updated);
  await changes.has(2);
});

test('a subscription that follows the end of another one reaches the server after it', async () => {
  let release: () => void = () => {};
  const { url, exchanges, until } = await scriptedHttp({
    ...subscribing,
    'resources/unsubscribe': ({ result }) => (release = () => result({})),
  });
  const methods = () =>
    exchanges
      .map(({ message }) => String(message['method']))
      .filter((method) => method.includes('subscribe'));
  await using client = await connect(url);
  const stop = await client.subscribe('x:///', () => {});
  const [stopped, again] = [stop(), client.subscribe('x:///', () => {})];
  await until(() => methods().length === 2);
  // The server may handle requests in any order.
  await client.listTools();
  expect(methods()).toEqual(['resources/subscribe', 'resources/unsubscribe']);
  release();
  await Promise.all([stopped, again]);
  expect(methods()).toEqual(['resources/subscribe', 'resources/unsubscribe', 'resources/subscribe']);
});

test('a stream that the server leaves open after the response is closed', async () => {
  const closed: Promise<void>[] = [];
  const { url } = await scriptedHttp({
    ...stateless,
    'tools/call': ({ stream, message }) => {
      const response = stream();
      closed.push(new Promise((resolve) => response.on('close', resolve)));
      response.write(event({ id: message['id'], result: { resultType: 'complete', content: [] } }));
    },
  });
  await using client = await Client.connect(serverAt(url));
  await Promise.all([client.callTool('any'), client.callTool('any')]);
  await Promise.all(closed);
  expect(closed).toHaveLength(2);
});

test('closing ends the calls of an earlier session, which the server has ended', async () => {
  let sessions = 0;
  const { url, exchanges, until } = await scriptedHttp({
    ...session,
    initialize: ({ response, result }) => {
      response.setHeader('mcp-session-id', `session-${++sessions}`);
      result({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } });
    },
    'tools/call': () => {},
    'tools/list': ({ headers, response, result }) => {
      if (headers['mcp-session-id'] === 'session-1') response.writeHead(404).end();
      else result({ tools: [] });
    },
  });
  const client = await connect(url, { timeoutMs: 60_000 });
  const call = client.callTool('any');
  await until(() => exchanges.some(({ message }) => message['method'] === 'tools/call'));
  expect(await client.listTools()).toEqual([]);
  await Promise.all([client.close(), expect(call).rejects.toThrow('The client has closed the connection')]);
});

test('a list is requested again over a new connection where the server has closed the idle one', async () => {
  const { url, exchanges, closeIdle } = await scriptedHttp(stateless);
  await using client = await Client.connect(serverAt(url));
  await client.listTools();
  // The end of the connection is on its way while the next request is written.
  closeIdle();
  expect(await client.listTools()).toEqual([]);
  expect(exchanges.map(({ message }) => message['method'])).toEqual([
    'server/discover',
    'tools/list',
    'tools/list',
  ]);
  await client.listTools();
  closeIdle();
  // A call may have been received.
  await expect(client.callTool('any')).rejects.toThrow('hang up');
});

test('a media type in other letters, and a server that would compress, are understood', async () => {
  const { url } = await scriptedHttp({
    ...stateless,
    'tools/call': ({ message, headers, response }) => {
      response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
      const content = [{ type: 'text', text: String(headers['accept-encoding']) }];
      response.end(event({ id: message['id'], result: { resultType: 'complete', content } }));
    },
  });
  await using client = await Client.connect(serverAt(url));
  expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'identity' }] });
});

test('a server that switches to another protocol is an error at once', async () => {
  const { url } = await scriptedHttp({
    'server/discover': ({ response }) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  });
  await expect(connect(url, { revision: '2026-07-28' })).rejects.toThrow('closed without a response');
});

const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };

/** Refuses as a load balancer does whose servers are being replaced, in each way once, and then answers. */
function replaced(answer: (exchange: Exchange) => void): (exchange: Exchange) => void {
  const refusals: ((exchange: Exchange) => void)[] = [
    ({ response }) => response.destroy(),
    ({ response }) => response.writeHead(502).end('<html>'),
    ({ response }) => response.writeHead(503, { 'retry-after': '0' }).end(),
  ];
  return (exchange) => (refusals.shift() ?? answer)(exchange);
}

test('the answer to a question is sent again while the server cannot be reached', async () => {
  let call: Exchange | undefined;
  const { url } = await scriptedHttp({
    ...session,
    'tools/call': (exchange) => {
      call = exchange;
      exchange.stream().write(event({ id: 'q', method: 'elicitation/create', params: form }));
    },
    // A response has no method.
    undefined: replaced(({ message, response }) => {
      response.writeHead(202).end();
      call?.response.end(
        event({ id: call.message['id'] as number, result: { content: [], _meta: message } }),
      );
    }),
  });
  const elicit = () => Promise.resolve({ action: 'decline' as const });
  await using client = await Client.connect(serverAt(url), { revision: '2025-11-25', elicit });
  expect(await client.callTool('ask')).toMatchObject({ _meta: { id: 'q', result: { action: 'decline' } } });
});

test('a stream that broke off is resumed once the server can be reached', async () => {
  const { url } = await scriptedHttp({
    ...session,
    'tools/call': ({ stream, message }) =>
      void stream().end(
        `retry: 100\n${event({ method: 'notifications/message', params: { level: 'info', data: message['id'] as number } }, '7')}`,
      ),
    GET: (exchange) =>
      exchange.headers['last-event-id'] === '7' ? resume(exchange) : exchange.response.writeHead(405).end(),
  });
  const resume = replaced(
    ({ stream }) => void stream().end(event({ id: null, error: { code: 1, message: 'Resumed' } })),
  );
  await using client = await connect(url);
  await expect(client.callTool('ask')).rejects.toThrow('Resumed');
});
