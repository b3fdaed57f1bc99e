import { expect } from 'vitest';
import { defineTool, inputRequired, listRoots, LiveList, toolResult } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, stamped, stateless, Wire } from './wire.ts';

const hello = defineTool({
  name: 'hello',
  description: 'Greets.',
  run: (_, { progress }) => (progress(1), 'Hello'),
});
const ask = defineTool({
  name: 'ask',
  description: 'Asks.',
  run: (_, { inputs }) => (inputs['roots'] ? 'Thank you' : inputRequired({ roots: listRoots() })),
});

/** The keys of every `_meta` in a message, however deep. */
function metaKeysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === '_meta' ? Object.keys(inner as object) : []),
    ...metaKeysIn(inner),
  ]);
}

async function everythingSent(version: string): Promise<JsonObject[]> {
  const tools = new LiveList([hello, ask]);
  const wire = await Wire.open(example({ tools }), version, { capabilities: { roots: {} } });
  await wire.capabilities();
  await wire.result('tools/list');
  await wire.call('hello', {}, { progressToken: 1 });
  await wire.error('nothing/here');
  if (version === stateless) {
    await wire.call('ask');
    wire.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await wire.nextFromServer();
  }
  tools.replace([hello]);
  await wire.nextFromServer();
  await wire.end();
  return wire.raw.received;
}

requirement(
  ['META-01', 'META-02', 'META-03'],
  'the server adds only `_meta` keys that the specification defines',
  async (version) => {
    const keys = new Set(metaKeysIn(await everythingSent(version)));
    expect(keys).toEqual(
      new Set(
        version === stateless
          ? ['io.modelcontextprotocol/serverInfo', 'io.modelcontextprotocol/subscriptionId']
          : [],
      ),
    );
  },
);

requirement(['META-01', 'META-02'], 'the `_meta` keys of an author are sent unchanged', async (version) => {
  const meta = { 'com.example/run': 7, plain: [true] };
  const noted = defineTool({
    name: 'noted',
    description: 'Has notes.',
    _meta: meta,
    run: () => toolResult({ content: 'Noted', _meta: meta }),
  });
  const wire = await Wire.open(example({ tools: [noted] }), version);
  expect((await wire.result('tools/list'))['tools']).toMatchObject([{ name: 'noted', _meta: meta }]);
  expect(await wire.call('noted')).toEqual(
    stamped(version, { content: [{ type: 'text', text: 'Noted' }], _meta: meta }),
  );
});

requirement('META-04', 'the values of unknown `_meta` keys are not checked', async (version) => {
  const wire = await Wire.open(example({ tools: [hello] }), version);
  const plain = await wire.call('hello');
  for (const meta of [
    { 'io.modelcontextprotocol/unheard-of': { deep: [null] } },
    { 'io.modelcontextprotocol/subscriptionId': 7 },
    { 'io.modelcontextprotocol/serverInfo': 'unknown' },
    { 'mcp.example/x': 1, 'modelcontextprotocol.io/y': null, '': '' },
    { related: undefined, 'io.modelcontextprotocol/related-task': { taskId: 'none' } },
  ]) {
    expect(await wire.call('hello', {}, meta)).toEqual(plain);
  }
});

requirement(
  'META-05',
  'the trace context of a request reaches the handler, and the server adds none',
  async (version) => {
    const wire = await Wire.open(example({ tools: [hello] }), version);
    const plain = await wire.call('hello');
    expect(
      await wire.call(
        'hello',
        {},
        {
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
          tracestate: 'vendor1=value1',
          baggage: 'userId=alice',
        },
      ),
    ).toEqual(plain);
    expect(metaKeysIn(plain)).toEqual(['io.modelcontextprotocol/serverInfo']);
  },
);

requirement('META-01', 'a `_meta` that is not an object is refused', async (version) => {
  const wire = await Wire.open(example({ tools: [hello] }), version);
  for (const _meta of [7, 'text', null, []]) {
    expect(await wire.raw.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32602, message: '"_meta" must be an object' },
    });
  }
});
