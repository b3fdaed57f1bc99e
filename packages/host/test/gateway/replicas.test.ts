import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventReader } from '../../../protocol/test/http/events.ts';
import { describeWithRedis, RedisServer } from '../../../redis/test/redis-server.ts';
import { type At, type Message, Session, textOf } from '../../../redis/test/replicas.ts';
import { ask, post } from '../../../redis/test/stateless.ts';
import { GatewayProgram, probeServer } from './gateway-program.ts';

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];

/** A server that asks for the roots of its client before it lists its tools: one for each. */
const rooted = `
let waiting;
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, result } = JSON.parse(line);
  if (result) {
    const tools = result.roots.map(({ name }) => ({ name, inputSchema: { type: 'object' } }));
    send({ id: waiting, result: { tools } });
  } else if (method === 'initialize') {
    const serverInfo = { name: 'rooted', version: '1' };
    send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    waiting = id;
    send({ id: 'roots', method: 'roots/list' });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: 'No' } });
});
`;

describeWithRedis('two gateways with one Redis', () => {
  let redis: RedisServer;
  const gateways: GatewayProgram[] = [];
  const started = async (servers: object) => {
    const gateway = new GatewayProgram(servers, '--redis', redis.url);
    gateways.push(gateway);
    return { gateway, url: (await gateway.listening()).url };
  };
  let one: At;
  let other: At;
  beforeAll(async () => {
    redis = await RedisServer.start();
    // The tasks of this server are in the memory of one process, which both gateways reach by its URL.
    const tasks = new GatewayProgram({ probe: probeServer('probe') });
    gateways.push(tasks);
    const { url } = await tasks.listening();
    const servers = { probe: probeServer('probe'), old: probeServer('old', 'legacy'), far: { url } };
    [one, other] = await Promise.all([started(servers), started(servers)]);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
    await redis?.[Symbol.asyncDispose]();
  });

  /** The text of an answer, which may come as a stream. */
  const answerTo = async (response: Promise<Response>) => (await response).text();

  test.each(versions)('serve a session, its stream and its subscriptions (%s)', async (version) => {
    const session = await Session.open(one, version);
    for (const replica of [other, one])
      expect(await textOf(await session.call(replica, 'probe__echo', { text: 'Hi' }))).toBe('Hi');
    const events = new EventReader(await session.get(one));
    const uri = 'test://shared';
    expect(await answerTo(session.send(other, 'resources/list'))).toContain(uri);
    expect(await answerTo(session.send(other, 'resources/subscribe', { uri }))).toContain('"result"');
    for (let heard: Message | undefined; heard?.['method'] !== 'notifications/resources/updated';)
      heard = await events.message();
    await session.delete(other);
    await expect.poll(async () => (await session.send(one, 'ping')).status).toBe(404);
  });

  test.each(['old', 'probe'])('pass an answer to the gateway that asked (server %s)', async (server) => {
    const session = await Session.open(one, '2025-11-25');
    const events = new EventReader(await session.call(one, `${server}__ask`));
    const question = (await events.message())!;
    expect(question).toMatchObject({ method: 'elicitation/create' });
    await session.respond(other, question['id'], { action: 'accept', content: { text: 'tea' } });
    expect(JSON.stringify(await events.message())).toContain('tea');
  });

  test('ask over the stream for notifications, whichever has it', async () => {
    const file = gateways[0]!.directory.put('rooted.cjs', rooted);
    const servers = { rooted: { command: process.execPath, args: [file] } };
    const [first, second] = await Promise.all([started(servers), started(servers)]);
    const session = await Session.open(first, '2025-11-25', 'alice', { roots: {} });
    const events = new EventReader(await session.get(first));
    const answer = async () => {
      for (let message = await events.message(); message; message = await events.message())
        if (message['method'] === 'roots/list')
          await session.respond(second, message['id'], { roots: [{ uri: 'file:///w', name: 'work' }] });
    };
    void answer().catch(() => undefined);
    const tools = () => answerTo(session.send(second, 'tools/list'));
    await expect.poll(tools, { timeout: 20_000 }).toContain('rooted__work');
    await events.close();
  });

  test('have one level of log messages', async () => {
    const session = await Session.open(one, '2025-11-25');
    await session.send(one, 'logging/setLevel', { level: 'emergency' });
    const answer = await session.call(other, 'old__log', { text: 'x' });
    expect(await new EventReader(answer).rest()).not.toContainEqual(
      expect.objectContaining({ data: expect.stringContaining('notifications/message') }),
    );
  });

  const answers = (requests: unknown) => {
    const [key = ''] = Object.keys(requests as object);
    return { [key]: { action: 'accept', content: { text: 'tea' } } };
  };

  test('continue a call of 2026-07-28 that waits in one of them', async () => {
    const asked = await ask(one, 'tools/call', { name: 'old__ask' });
    expect(asked).toMatchObject({ resultType: 'input_required' });
    const { requestState, inputRequests } = asked;
    const request = { name: 'old__ask', requestState, inputResponses: answers(inputRequests) };
    expect(JSON.stringify(await ask(other, 'tools/call', request))).toContain('tea');
    // The call has ended, and is not made again.
    const again = { code: -32602, message: expect.stringContaining('send the request again without it') };
    for (const replica of [other, one])
      expect(await ask(replica, 'tools/call', request)).toMatchObject(again);
  });

  test('know the tasks of a server that both reach', async () => {
    const { taskId } = await ask(one, 'tools/call', { name: 'far__probe__later' });
    expect(taskId).toEqual(expect.any(String));
    await expect.poll(async () => (await ask(other, 'tasks/get', { taskId }))['status']).toBe('completed');
  });

  test('answer while Redis is gone, and refuse what needs it', async () => {
    const session = await Session.open(one, '2025-11-25');
    expect(await textOf(await session.call(one, 'probe__echo', { text: 'Hi' }))).toBe('Hi');
    await redis.kill();
    expect(await textOf(await session.call(one, 'probe__echo', { text: 'Hi' }))).toBe('Hi');
    const refused = await post(one, 'tools/call', { name: 'old__ask' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    await redis.start();
    await expect
      .poll(async () => (await ask(one, 'tools/call', { name: 'old__ask' }))['resultType'])
      .toBe('input_required');
  });

  test('end on SIGTERM although a question waits for Redis', async () => {
    const servers = {
      rooted: { command: process.execPath, args: [gateways[0]!.directory.put('rooted.cjs', rooted)] },
    };
    const last = await started(servers);
    const session = await Session.open(last, '2025-11-25', 'alice', { roots: {} });
    const events = new EventReader(await session.get(last));
    const tools = answerTo(session.send(last, 'tools/list')).catch(() => undefined);
    while ((await events.message())?.['method'] !== 'roots/list');
    await redis.kill();
    expect(await last.gateway.terminate()).toBe(0);
    await tools;
    await redis.start();
  });
});

test('a gateway answers probes, counts requests, and logs lines of JSON', async () => {
  const card = ['--card', 'com.example/all=https://all.example/mcp'];
  const options = ['--health', '--metrics', '0', '--log-json', ...card];
  await using gateway = new GatewayProgram({ probe: probeServer('probe') }, ...options);
  const { url } = await gateway.listening();
  expect((await fetch(new URL('/readyz', url))).status).toBe(200);
  expect(await (await fetch(`${url}/server-card`)).json()).toMatchObject({ name: 'com.example/all' });
  await ask({ url }, 'tools/call', { name: 'probe__echo' });
  const entries = gateway.lines.map((line) => JSON.parse(line) as Message);
  expect(entries).toMatchObject([{ message: 'Listening' }, { method: 'tools/call', name: 'probe__echo' }]);
  const metrics = await (await fetch(String(entries[0]!['metricsUrl']))).text();
  expect(metrics).toContain('mcp_requests_total{method="tools/call",outcome="ok"} 1');
  expect(await gateway.terminate()).toBe(0);
});

test.each([
  [['--drain', '5'], 'The option "--drain" has no effect without --http'],
  [['--redis', 'redis://x'], '--redis needs --http: over stdio, one process serves one client'],
  [
    ['--http', '0', '--redis', 'http://user:secret@x'],
    'Invalid --redis, or MCP_REDIS_URL in the environment; ' +
      'expected redis://[[user]:password@]host[:port][/database], with user and password percent-encoded',
  ],
])('a gateway refuses %j', async (args, message) => {
  await using gateway = new GatewayProgram({ probe: probeServer('probe') }, ...args);
  const { stderr } = gateway.spawn();
  let text = '';
  for await (const chunk of stderr) text += String(chunk);
  expect(text).toContain(message);
});
