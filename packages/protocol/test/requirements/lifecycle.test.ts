import { expect } from 'vitest';
import { z } from 'zod';
import {
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  inputRequired,
  LiveList,
} from '@mcp/protocol';
import { connect, RawConnection } from '@mcp/protocol/testing';
import { requirement } from './requirement.ts';
import { example, initialize, stateless, Wire } from './wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });

const ask = defineTool({
  name: 'ask',
  description: 'Asks first.',
  run: (_, { inputs }) =>
    inputs['name'] ? 'Thank you' : inputRequired({ name: elicit('Who?', z.object({ name: z.string() })) }),
});

const page = defineResource({ uri: 'page:///one', name: 'one', read: () => 'One' });

const greet = definePrompt({
  name: 'greet',
  description: 'Greets a person.',
  inputSchema: z.object({ name: z.string() }),
  complete: { name: () => ['Ada'] },
  run: ({ name }) => `Greet ${name}`,
});

requirement(
  'LIFE-01',
  'before the handshake only ping is served, and errors explain the handshake',
  async (version) => {
    const raw = new RawConnection(example({ tools: [hello] }));
    expect(await raw.ask({ jsonrpc: '2.0', id: 1, method: 'ping' })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    });
    for (const method of ['tools/list', 'tools/call', 'logging/setLevel', 'resources/subscribe']) {
      expect(await raw.ask({ jsonrpc: '2.0', id: 2, method })).toEqual({
        jsonrpc: '2.0',
        id: 2,
        error: {
          code: -32602,
          message:
            'Either open with "initialize" (up to 2025-11-25), or put "io.modelcontextprotocol/protocolVersion" and ' +
            '"io.modelcontextprotocol/clientCapabilities" into "_meta" of every request (2026-07-28)',
          data: { supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] },
        },
      });
    }
    expect(await raw.ask(initialize(3, version))).toMatchObject({ result: { protocolVersion: version } });
  },
);

requirement(
  ['LIFE-03', 'LIFE-08'],
  'the result of initialize has the serverInfo and the capabilities',
  async (version) => {
    const server = defineServer({
      name: 'library',
      version: '2.1.0',
      title: 'Library',
      description: 'Books.',
      websiteUrl: 'https://example.com/',
      icons: [{ src: 'https://example.com/icon.png', sizes: ['48x48'] }],
      instructions: 'Ask for a book.',
      tools: [hello],
    });
    expect(await new RawConnection(server).ask(initialize('first', version))).toEqual({
      jsonrpc: '2.0',
      id: 'first',
      result: {
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: {
          name: 'library',
          version: '2.1.0',
          ...(version >= '2025-06-18' && { title: 'Library' }),
          ...(version >= '2025-11-25' && {
            description: 'Books.',
            websiteUrl: 'https://example.com/',
            icons: [{ src: 'https://example.com/icon.png', sizes: ['48x48'] }],
          }),
        },
        instructions: 'Ask for a book.',
      },
    });
  },
);

requirement('LIFE-06', 'no request is sent before notifications/initialized', async (version) => {
  const elicits = version >= '2025-06-18';
  const roots = defineTool({
    name: 'roots',
    description: 'Asks for roots.',
    run: (_, { inputs }) =>
      inputs['roots'] ? 'Thank you' : inputRequired({ roots: { method: 'roots/list' } }),
  });
  const raw = new RawConnection(example({ tools: [elicits ? ask : roots] }));
  await raw.ask(initialize(1, version, { elicitation: {}, roots: {} }));
  const name = elicits ? 'ask' : 'roots';
  raw.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name } });
  // The answer to a ping is proof that nothing came before it.
  expect(await raw.ask({ jsonrpc: '2.0', id: 3, method: 'ping' })).toEqual({
    jsonrpc: '2.0',
    id: 3,
    result: {},
  });
  expect(await raw.ask({ jsonrpc: '2.0', id: 4, method: 'ping' })).toMatchObject({ id: 4 });
  expect(await raw.ask({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
    method: elicits ? 'elicitation/create' : 'roots/list',
  });
});

requirement(
  'LIFE-06',
  'a client that disconnects before notifications/initialized does not keep the server open',
  async (version) => {
    const elicits = version >= '2025-06-18';
    const roots = defineTool({
      name: 'ask',
      description: 'Asks for roots.',
      run: (_, { inputs }) => (inputs['roots'] ? '' : inputRequired({ roots: { method: 'roots/list' } })),
    });
    const raw = new RawConnection(example({ tools: [elicits ? ask : roots] }));
    await raw.ask(initialize(1, version, { elicitation: {}, roots: {} }));
    raw.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask' } });
    expect(await raw.end()).toMatchObject([
      { id: 2, result: { content: [{ text: 'The connection has ended' }], isError: true } },
    ]);
  },
);

requirement(
  ['LIFE-09', 'LIFE-10', 'LIFE-25'],
  'an unknown version is answered with the newest version that has a handshake',
  async (version) => {
    for (const unknown of ['1999-01-01', '2099-12-31', 'newest', '', stateless]) {
      const raw = new RawConnection(example());
      expect(await raw.ask(initialize(1, unknown))).toMatchObject({
        result: { protocolVersion: '2025-11-25' },
      });
    }
    expect(await new RawConnection(example()).ask(initialize(1, version))).toMatchObject({
      result: { protocolVersion: version },
    });
  },
);

requirement(
  ['LIFE-12', 'LIFE-13'],
  'a capability that the client did not declare is not used',
  async (version) => {
    const roots = defineTool({
      name: 'roots',
      description: 'Asks for roots.',
      run: () => inputRequired({ roots: { method: 'roots/list' } }),
    });
    const wire = await Wire.open(example({ tools: [roots] }), version);
    expect(await wire.call('roots')).toEqual({
      content: [{ type: 'text', text: 'The client does not support "roots", which the request requires' }],
      isError: true,
    });
    expect(wire.fromServer).toEqual([]);
  },
);

requirement(
  ['LIFE-12', 'LIFE-13'],
  'the methods of an undeclared capability do not exist',
  async (version) => {
    const wire = await Wire.open(example({ tools: [hello], resources: [page] }), version);
    expect(await wire.capabilities()).toEqual({ tools: {}, resources: {} });
    for (const method of [
      'prompts/list',
      'resources/subscribe',
      'logging/setLevel',
      'completion/complete',
      'subscriptions/listen',
      'server/discover',
    ]) {
      expect(await wire.error(method, { uri: page.uri, level: 'info' })).toMatchObject({ code: -32601 });
    }
  },
);

requirement(
  ['LIFE-15', 'LIFE-16'],
  'a request that times out is cancelled, and the conversation continues',
  async (version) => {
    const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
    const slow = defineTool({
      name: 'slow',
      description: 'Never ends.',
      run: (_, { signal }) =>
        new Promise<string>(() => signal.addEventListener('abort', () => resolve(signal.reason))),
    });
    await using client = await connect(example({ tools: [slow, hello] }), {
      revision: version,
      timeoutMs: 60_000,
    });
    await expect(client.callTool('slow', {}, { timeoutMs: 5 })).rejects.toThrow(
      'No response to tools/call within 5 ms',
    );
    expect(await cancelled).toEqual(new Error('No response to tools/call within 5 ms'));
    expect(await client.callTool('hello')).toMatchObject({ content: [{ text: 'Hello' }] });
  },
);

requirement('LIFE-18', 'a malformed handshake is refused, and another may follow', async (version) => {
  const raw = new RawConnection(example());
  const good = initialize(1, version);
  for (const [params, message] of [
    [{}, '"protocolVersion" must be a string'],
    [{ protocolVersion: 5 }, '"protocolVersion" must be a string'],
    [{ protocolVersion: version }, '"clientInfo" must be an object'],
    [{ protocolVersion: version, clientInfo: {} }, '"name" must be a string'],
    [
      { protocolVersion: version, clientInfo: { name: 'x' }, capabilities: 5 },
      '"capabilities" must be an object',
    ],
  ] as const) {
    expect(await raw.ask({ ...good, params })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32602, message },
    });
  }
  expect(await raw.ask(good)).toMatchObject({ result: { protocolVersion: version } });
});

requirement(
  ['LIFE-19', 'LIFE-20', 'LIFE-21', 'LIFE-22', 'LIFE-23'],
  'a capability is declared exactly if the server supports it',
  async (version) => {
    const declared = async (parts: Parameters<typeof example>[0]) =>
      (await Wire.open(example(parts), version)).capabilities();
    const plain = definePrompt({ name: 'plain', description: 'Says hello.', run: () => 'Hello' });
    expect(await declared({})).toEqual({});
    expect(await declared({ tools: [hello] })).toEqual({ tools: {} });
    expect(await declared({ resources: [page] })).toEqual({ resources: {} });
    expect(await declared({ prompts: [plain] })).toEqual({ prompts: {} });
    expect(await declared({ logging: true })).toEqual({ logging: {} });
    // Completion is served in the first revision too, which has no capability for it.
    expect(await declared({ prompts: [greet] })).toEqual({
      prompts: {},
      ...(version > '2024-11-05' && { completions: {} }),
    });
    expect(await declared({ tools: new LiveList(), prompts: new LiveList() })).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
    });
  },
);
