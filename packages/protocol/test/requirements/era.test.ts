import { expect } from 'vitest';
import { z } from 'zod';
import { defineResource, defineTool, elicit, inputRequired } from '@mcp/protocol';
import { RawConnection } from '@mcp/protocol/testing';
import { versions } from '../../src/revisions/table.ts';
import { requirement } from './requirement.ts';
import { example, initialize, metaOf, stamped, Wire } from './wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });

const ask = defineTool({
  name: 'ask',
  description: 'Asks first.',
  run: (_, { inputs }) =>
    inputs['name'] ? 'Thank you' : inputRequired({ name: elicit('Who?', z.object({ name: z.string() })) }),
});

const clock = defineResource({
  uri: 'clock:///now',
  name: 'now',
  read: () => 'Now',
  watch: () => () => {},
});

const server = example({ tools: [hello, ask], resources: [clock], logging: true });

function call(id: number, name: string, _meta?: object) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...(_meta && { _meta }) } };
}

requirement('ERA-02', 'a request without version or capabilities is invalid', async () => {
  const raw = new RawConnection(server);
  const { ...whole } = metaOf();
  for (const key of ['protocolVersion', 'clientCapabilities']) {
    const { [`io.modelcontextprotocol/${key}`]: _, ...part } = whole;
    expect(await raw.ask(call(1, 'hello', part))).toMatchObject({ id: 1, error: { code: -32602 } });
  }
  expect(await raw.ask(call(2, 'hello', {}))).toMatchObject({ id: 2, error: { code: -32602 } });
  expect(await raw.ask(call(3, 'hello'))).toMatchObject({ id: 3, error: { code: -32602 } });
  expect(
    await raw.ask(call(4, 'hello', { ...whole, 'io.modelcontextprotocol/clientCapabilities': 5 })),
  ).toEqual({
    jsonrpc: '2.0',
    id: 4,
    error: {
      code: -32602,
      message: '"_meta.io.modelcontextprotocol/clientCapabilities" must be an object',
    },
  });
});

requirement(
  'ERA-02',
  'a request with only the version or only the capabilities is invalid inside a conversation',
  async () => {
    const wire = await Wire.open(server, '2025-11-25');
    for (const key of ['protocolVersion', 'clientCapabilities']) {
      const { [`io.modelcontextprotocol/${key}`]: only } = metaOf();
      const _meta = { [`io.modelcontextprotocol/${key}`]: only };
      expect(await wire.error('tools/list', {}, _meta)).toMatchObject({ code: -32602 });
    }
  },
);

requirement('ERA-03', 'a client without clientInfo is served', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.call('hello')).toMatchObject({ content: [{ text: 'Hello' }] });
});

requirement('ERA-04', 'the refusal of an unsupported version names the supported ones', async (version) => {
  const wire = await Wire.open(server, version);
  for (const requested of ['2099-01-01', '2025-11-25', 'newest', '']) {
    expect(
      await wire.error('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': requested }),
    ).toEqual({
      code: -32022,
      message: `Unsupported protocol version in "_meta": "${requested}"; expected 2026-07-28`,
      data: { supported: versions, requested },
    });
  }
});

requirement(
  'ERA-04',
  'an unsupported version is refused right after a request of a supported version',
  async (version) => {
    const wire = await Wire.open(server, version);
    await wire.result('server/discover');
    const future = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect(await wire.error('server/discover', {}, future)).toMatchObject({ code: -32022 });
  },
);

requirement(['ERA-07', 'DISC-01', 'DISC-02'], 'server/discover describes the server', async (version) => {
  const wire = await Wire.open(
    example({ tools: [hello], instructions: 'Say hello.', experimental: { 'example.com/x': { on: true } } }),
    version,
  );
  expect(await wire.result('server/discover')).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    capabilities: { tools: {}, experimental: { 'example.com/x': { on: true } } },
    instructions: 'Say hello.',
    ttlMs: 300_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'example', version: '1.0.0' } },
  });
});

requirement(
  'DISC-03',
  'declared methods are answered, and undeclared methods do not exist',
  async (version) => {
    const behind = {
      tools: ['tools/list', 'tools/call'],
      resources: ['resources/list', 'resources/templates/list', 'resources/read'],
      prompts: ['prompts/list', 'prompts/get'],
      completions: ['completion/complete'],
    };
    const wire = await Wire.open(server, version);
    const capabilities = await wire.capabilities();
    expect(capabilities).toEqual({ tools: {}, resources: { subscribe: true }, logging: {} });
    for (const [name, methods] of Object.entries(behind)) {
      for (const method of methods) {
        const { error } = (await wire.ask(method)) as { error?: { code: number } };
        expect(error?.code === -32601, method).toBe(!(name in capabilities));
      }
    }
  },
);

requirement('ERA-08', 'a stateless request is served as such inside a conversation', async (version) => {
  for (const other of versions.filter((one) => one !== version)) {
    const wire = await Wire.open(server, other);
    const hi = { content: [{ type: 'text', text: 'Hello' }] };
    expect(await wire.raw.ask(call(1, 'hello', metaOf()))).toMatchObject({ result: stamped(version, hi) });
    expect(
      await wire.raw.ask({ ...call(2, ''), method: 'server/discover', params: { _meta: metaOf() } }),
    ).toMatchObject({ result: { resultType: 'complete' } });
    expect(await wire.raw.ask(call(3, 'hello'))).toEqual({ jsonrpc: '2.0', id: 3, result: hi });
  }
});

requirement('ERA-09', 'initialize opens a conversation on its own connection only', async () => {
  const first = new RawConnection(server);
  const second = new RawConnection(server);
  await first.ask(call(1, 'hello', metaOf()));
  expect(await first.ask(initialize(2, '2025-03-26'))).toMatchObject({
    result: { protocolVersion: '2025-03-26' },
  });
  expect(await first.ask(call(3, 'hello'))).toEqual({
    jsonrpc: '2.0',
    id: 3,
    result: { content: [{ type: 'text', text: 'Hello' }] },
  });
  expect(await first.ask([{ jsonrpc: '2.0', id: 4, method: 'ping' }])).toHaveLength(1);
  expect(await second.ask(call(5, 'hello'))).toMatchObject({ error: { code: -32602 } });
});

requirement('ERA-10', 'stateless requests and those of a conversation may alternate', async (version) => {
  const wire = await Wire.open(server, '2025-11-25');
  for (let id = 0; id < 10; id++) wire.raw.send(call(id, 'hello', id % 2 ? metaOf() : undefined));
  for (let id = 0; id < 10; id++) {
    expect(await wire.response(id)).toEqual({
      jsonrpc: '2.0',
      id,
      result: stamped(id % 2 ? version : '2025-11-25', { content: [{ type: 'text', text: 'Hello' }] }),
    });
  }
});

requirement(
  ['ERA-11', 'ERA-22'],
  'a stateless initialize does not exist, but its error names the versions',
  async (version) => {
    const wire = await Wire.open(server, version);
    expect(await wire.error('initialize', { protocolVersion: version })).toEqual({
      code: -32601,
      message: `No method "initialize" in protocol version ${version}`,
      data: { supported: versions },
    });
  },
);

requirement(
  ['ERA-22', 'PING-03'],
  'methods of a conversation do not exist as stateless requests',
  async (version) => {
    const wire = await Wire.open(server, version);
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
      expect(await wire.error(method, { uri: clock.uri, level: 'info' })).toEqual({
        code: -32601,
        message: `No method "${method}" in protocol version ${version}`,
      });
    }
  },
);

requirement(
  ['ERA-17', 'ERA-18'],
  'an extension that only the client declares changes nothing',
  async (version) => {
    const extensions = { 'com.example/unheard-of': { level: 3 }, 'io.modelcontextprotocol/tasks': {} };
    const wire = await Wire.open(server, version, { capabilities: { extensions } });
    expect(await wire.capabilities()).not.toHaveProperty('extensions');
    expect(await wire.call('hello')).toEqual(
      stamped(version, { content: [{ type: 'text', text: 'Hello' }] }),
    );
    expect(await wire.error('tasks/get', { taskId: 'x' })).toMatchObject({ code: -32601 });
  },
);

requirement(['ERA-20', 'STATE-01'], 'capabilities of earlier requests do not count', async (version) => {
  const wire = await Wire.open(server, '2025-11-25', { capabilities: { elicitation: {} } });
  const able = metaOf({ capabilities: { elicitation: {} } });
  expect(await wire.raw.ask(call(1, 'ask', able))).toMatchObject({
    result: { resultType: 'input_required' },
  });
  expect(await wire.raw.ask(call(2, 'ask', metaOf()))).toMatchObject({ error: { code: -32021 } });
  expect(version).toBe('2026-07-28');
});

requirement(
  'ERA-21',
  'the error of a request that needs an undeclared capability names the capability',
  async (version) => {
    const needs = {
      elicitation: { form: {} },
      sampling: {},
      roots: {},
    };
    const asking = Object.keys(needs).map((name) =>
      defineTool({
        name,
        description: 'Asks.',
        run: () =>
          inputRequired({
            it:
              name === 'elicitation'
                ? elicit('Well?', z.object({}))
                : name === 'roots'
                  ? { method: 'roots/list' }
                  : { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
          }),
      }),
    );
    const wire = await Wire.open(example({ tools: asking }), version);
    for (const [name, capability] of Object.entries(needs)) {
      expect(await wire.error('tools/call', { name })).toEqual({
        code: -32021,
        message: `The request requires the client capability "${name}"`,
        data: { requiredCapabilities: { [name]: capability } },
      });
    }
  },
);

requirement(['ERA-23', 'DISC-02'], 'every result has the serverInfo', async (version) => {
  const wire = await Wire.open(server, version, { capabilities: { elicitation: {} } });
  const from = { 'io.modelcontextprotocol/serverInfo': { name: 'example', version: '1.0.0' } };
  for (const [method, params] of [
    ['server/discover', {}],
    ['tools/list', {}],
    ['tools/call', { name: 'hello' }],
    ['tools/call', { name: 'ask' }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: clock.uri }],
  ] as const) {
    expect(await wire.result(method, params), method).toMatchObject({ _meta: from });
    expect(await wire.result(method, params), method).not.toHaveProperty('serverInfo');
  }
});

requirement('ERA-24', 'the clientInfo of a request changes nothing', async (version) => {
  const wire = await Wire.open(server, version);
  const plain = await wire.result('tools/list');
  for (const clientInfo of [{ name: 'root', version: '9' }, { name: 'example' }, 5]) {
    const meta = { 'io.modelcontextprotocol/clientInfo': clientInfo };
    expect(await wire.result('tools/list', {}, meta)).toEqual(plain);
  }
});
