import type { Client, ClientOptions, LogMessage } from '@mcp/protocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { GatewayProgram, probeServer, textOf } from './gateway-program.ts';

const gateway = new GatewayProgram({ new: probeServer('new', 'modern'), old: probeServer('old', 'legacy') });
afterAll(() => gateway[Symbol.asyncDispose]());

/** A client whose user answers every form with the client's own name, and keeps the questions. */
async function asked(own: string, options: ClientOptions): Promise<{ client: Client; messages: string[] }> {
  const messages: string[] = [];
  const client = await gateway.http({
    ...options,
    elicit(request) {
      messages.push(request.message);
      return Promise.resolve({ action: 'accept', content: { text: own } });
    },
  });
  return { client, messages };
}

describe.each(['2025-11-25', '2026-07-28'])('two clients of %s over HTTP', (revision) => {
  const options = { revision };

  test('are asked what their own calls need and nothing else, also when they differ in nothing', async () => {
    const [a, b] = await Promise.all([asked('a', options), asked('b', options)]);
    for (const server of ['new', 'old']) {
      const call = async ({ client }: typeof a, text: string) =>
        textOf(await client.callTool(`${server}__ask`, { text }));
      const calls = Array.from({ length: 4 }, (_, index) => [call(a, `a${index}`), call(b, `b${index}`)]);
      const answers = await Promise.all(calls.flat());
      const accepted = (text: string) => `{"action":"accept","content":{"text":"${text}"}}`;
      expect(answers).toEqual(calls.flatMap(() => [accepted('a'), accepted('b')]));
    }
    expect(a.messages).toHaveLength(8);
    expect(b.messages).toHaveLength(8);
    expect(a.messages.every((message) => /^Which text\? a\d$/.test(message))).toBe(true);
    expect(b.messages.every((message) => /^Which text\? b\d$/.test(message))).toBe(true);
  });

  test('get the log messages of their own calls', async () => {
    const logs: LogMessage[][] = [[], []];
    const clients = await Promise.all(
      logs.map((own) =>
        gateway.http({ ...options, logLevel: 'info', onLog: (message) => own.push(message) }),
      ),
    );
    for (const server of ['new', 'old']) {
      const calls = [0, 1, 2].flatMap((round) =>
        clients.map((client, index) => client.callTool(`${server}__log`, { text: `${index} ${round}` })),
      );
      await Promise.all(calls);
    }
    for (const [index, own] of logs.entries()) {
      await expect.poll(() => own.length).toBe(6);
      expect(own.every(({ data }) => String(data).startsWith(`${index} `))).toBe(true);
    }
  });

  test('are notified of the resources that they have subscribed to themselves', async () => {
    const [a, b] = await Promise.all([gateway.http(options), gateway.http(options)]);
    for (const [server, uri] of [
      ['new', 'test://shared'],
      ['old', 'mcp://old/test://shared'],
    ] as const) {
      let updates = 0;
      let others = 0;
      await a.subscribe(uri, () => updates++);
      await b.subscribe(`${server}://items/1`, () => others++).catch(() => {});
      await a.callTool(`${server}__touch`);
      await expect.poll(() => updates).toBe(1);
      expect(others).toBe(0);
    }
  });
});

test('each conversation has a process of its own of an older server, and a stateless one is shared', async () => {
  const legacy = { revision: '2025-11-25' };
  const [a, b] = await Promise.all([gateway.http(legacy), gateway.http(legacy)]);
  const count = async (client: Client, server: string) =>
    textOf(await client.callTool(`${server}__count`)).split(' ');
  const [first, second] = [await count(a, 'old'), await count(b, 'old')];
  expect(first[0]).not.toBe(second[0]);
  expect([first[1], second[1]]).toEqual(['1', '1']);
  expect(await count(a, 'old')).toEqual([first[0], '2']);
  const [c, d] = await Promise.all([gateway.http(), gateway.http({ name: 'another' })]);
  expect((await count(c, 'new'))[0]).toBe((await count(d, 'new'))[0]);
});

test('a task has an id of the gateway, is driven to its end by it, and no other id finds one', async () => {
  const client = await gateway.http({ revision: '2026-07-28' });
  expect(textOf(await client.callTool('new__later'))).toBe('done');
  const { resultType, taskId } = await client.forward('tools/call', { name: 'new__later', arguments: {} });
  expect(resultType).toBe('task');
  const states: unknown[] = [];
  await client.tasks.watch(String(taskId), () => states.push(taskId));
  expect(await client.tasks.result(String(taskId))).toMatchObject({ content: [{ text: 'done' }] });
  expect(await client.tasks.get(String(taskId))).toMatchObject({ taskId, status: 'completed' });
  const forged = `${String(taskId).slice(0, -2)}AA`;
  await expect(client.tasks.get(forged)).rejects.toMatchObject({ code: -32602 });
  await expect.poll(() => states.length).toBeGreaterThan(0);
});

test('a client over stdio gets definitions and results as the server made them', async () => {
  await using own = new GatewayProgram({
    old: probeServer('old', 'legacy'),
    new: probeServer('new', 'modern'),
  });
  const roots = () => Promise.resolve([{ uri: 'file:///work' }]);
  const logs: LogMessage[] = [];
  const client = await own.stdio({ roots, logLevel: 'info', onLog: (message) => logs.push(message) });
  expect(client.revision).toBe('2026-07-28');
  const echo = (await client.listTools()).find(({ name }) => name === 'old__echo');
  expect(echo).toEqual({
    name: 'old__echo',
    title: 'Echo',
    description: 'Returns its text.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    icons: [{ src: 'data:image/png;base64,AA==' }],
    _meta: { 'example.com/kept': true },
  });
  expect(textOf(await client.callTool('old__roots'))).toBe('{"roots":[{"uri":"file:///work"}]}');
  for (const server of ['new', 'old']) await client.callTool(`${server}__log`, { text: server });
  await expect.poll(() => logs.map(({ data }) => data)).toEqual(['new', 'old']);
  expect(await client.callTool('old__echo', { text: 'Hi' })).toMatchObject({
    structuredContent: { text: 'Hi' },
  });
});

test.each(['2025-11-25', '2026-07-28'])(
  'mcp serve --log prints what servers log, and a client of %s gets what it wants',
  async (revision) => {
    const servers = { old: probeServer('old', 'legacy'), new: probeServer('new', 'modern') };
    await using own = new GatewayProgram(servers, '--log', 'info');
    const logs: LogMessage[] = [];
    const client = await own.stdio({ revision, logLevel: 'error', onLog: (message) => logs.push(message) });
    for (const name of ['new', 'old']) await client.callTool(`${name}__log`, { text: 'Hi' });
    for (const name of ['new', 'old'])
      await expect.poll(() => own.lines).toContain(`${name} warning ${name} Hi`);
    expect(logs).toEqual([]);
  },
);
