import { expect } from 'vitest';
import { defineResource, defineTool, definePrompt, LiveList } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const acknowledged = 'notifications/subscriptions/acknowledged';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const plain = definePrompt({ name: 'plain', description: 'Says hello.', run: () => 'Hello' });

/** A server whose lists and pages can be changed. */
function changing() {
  const tools = new LiveList([hello]);
  const prompts = new LiveList([plain]);
  const watched = new Map<string, () => void>();
  const page = defineResource({
    uri: 'page:///{name}',
    name: 'page',
    read: ({ name }) => name,
    watch: ({ name }, changed, { log, progress }) => {
      if (name === 'missing') throw new Error('No such page: "missing"');
      watched.set(name, () => {
        log('emergency', 'A change');
        progress(1);
        changed();
      });
      return () => void watched.delete(name);
    },
  });
  return {
    server: example({ tools, prompts, resources: [page], logging: true }),
    changeTools: () => tools.replace([hello]),
    changePrompts: () => prompts.replace([plain]),
    changePage: (name: string) => watched.get(name)?.(),
    watched,
  };
}

function listen(wire: Wire, notifications: JsonObject, meta?: JsonObject): number {
  return wire.send('subscriptions/listen', { notifications }, meta);
}

requirement('SUB-01', 'only the requested notifications are sent', async (version) => {
  const { server, changeTools, changePrompts, changePage } = changing();
  const wire = await Wire.open(server, version);
  const id = listen(wire, { promptsListChanged: true, toolsListChanged: false });
  await wire.nextFromServer();
  changeTools();
  changePage('one');
  changePrompts();
  expect(await wire.nextFromServer()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/prompts/list_changed',
    params: { _meta: { [subscriptionId]: id } },
  });
  expect((await wire.end()).map(({ method }) => method)).toEqual([
    acknowledged,
    'notifications/prompts/list_changed',
    'notifications/cancelled',
  ]);
});

requirement(['SUB-02', 'SUB-03'], 'the acknowledgement is sent before any change', async (version) => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { promise: watching, resolve: watches } = Promise.withResolvers<() => void>();
  const slow = defineResource({
    uri: 'page:///slow',
    name: 'slow',
    read: () => '',
    watch: async (_, changed) => {
      watches(changed);
      await started;
      return () => {};
    },
  });
  const tools = new LiveList([hello]);
  const wire = await Wire.open(example({ resources: [slow], tools }), version);
  const id = listen(wire, { toolsListChanged: true, resourceSubscriptions: [slow.uri] });
  const changed = await watching;
  changed();
  tools.replace([]);
  // An answer is proof that nothing came before it.
  await wire.result('resources/list');
  expect(wire.fromServer).toEqual([]);
  start();
  expect(await wire.nextFromServer()).toMatchObject({
    method: acknowledged,
    params: { _meta: { [subscriptionId]: id } },
  });
  const received = [await wire.nextFromServer(), await wire.nextFromServer()].map(({ method }) => method);
  expect(new Set(received)).toEqual(
    new Set(['notifications/resources/updated', 'notifications/tools/list_changed']),
  );
});

requirement('SUB-04', 'the acknowledgement names exactly the accepted subscriptions', async (version) => {
  const { server } = changing();
  const wire = await Wire.open(server, version);
  const id = listen(wire, {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    somethingElse: true,
    resourceSubscriptions: ['page:///one', 'page:///missing', 'absent:///here', 'not a uri', 'page:///one'],
  });
  expect(await wire.nextFromServer()).toEqual({
    jsonrpc: '2.0',
    method: acknowledged,
    params: {
      _meta: { [subscriptionId]: id },
      notifications: {
        toolsListChanged: true,
        promptsListChanged: true,
        resourceSubscriptions: ['page:///one'],
      },
    },
  });
});

requirement('SUB-04', 'a server without subscribable items acknowledges none', async (version) => {
  const wire = await Wire.open(example({ tools: [hello] }), version);
  listen(wire, { toolsListChanged: true, resourceSubscriptions: ['page:///one'] });
  expect(await wire.nextFromServer()).toMatchObject({ method: acknowledged, params: { notifications: {} } });
  expect(wire.fromServer[0]?.['params']).toHaveProperty('notifications', {});
});

requirement('SUB-04', 'a malformed filter is refused', async (version) => {
  const { server } = changing();
  const wire = await Wire.open(server, version);
  for (const [params, message] of [
    [{}, '"notifications" must be an object'],
    [{ notifications: true }, '"notifications" must be an object'],
    [
      { notifications: { resourceSubscriptions: 'page:///one' } },
      '"notifications.resourceSubscriptions" must be a list of URIs',
    ],
    [
      { notifications: { resourceSubscriptions: [7] } },
      '"notifications.resourceSubscriptions" must be a list of URIs',
    ],
  ] as const) {
    expect(await wire.error('subscriptions/listen', params)).toEqual({ code: -32602, message });
  }
  expect(await wire.end()).toEqual([]);
});

requirement('SUB-05', 'every notification has the id of the subscription, with its type', async (version) => {
  const { server, changeTools, changePage } = changing();
  const wire = await Wire.open(server, version);
  for (const id of [7, '7', 'ü']) {
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['page:///one'] };
    wire.raw.send({ ...wire.request('subscriptions/listen', { notifications }), id });
    await wire.nextFromServer();
  }
  changePage('one');
  changeTools();
  for (let count = 0; count < 6; count++) await wire.nextFromServer();
  const ids = wire.fromServer.map(
    ({ params }) => ((params as JsonObject)['_meta'] as JsonObject)[subscriptionId],
  );
  expect(ids.slice(0, 3)).toEqual([7, '7', 'ü']);
  expect(ids.slice(3)).toHaveLength(6);
  for (const id of [7, '7', 'ü']) expect(ids.slice(3).filter((other) => other === id)).toHaveLength(2);
});

requirement(
  ['SUB-07', 'CANC-11'],
  'a subscription that the server ends gets its result and a cancellation',
  async (version) => {
    const { server } = changing();
    const wire = await Wire.open(server, version);
    const id = listen(wire, { toolsListChanged: true });
    await wire.nextFromServer();
    await wire.raw.end();
    expect(wire.raw.received.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        id,
        result: {
          resultType: 'complete',
          _meta: {
            [subscriptionId]: id,
            'io.modelcontextprotocol/serverInfo': { name: 'example', version: '1.0.0' },
          },
        },
      },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
    ]);
  },
);

requirement('SUB-08', 'a subscription ends with its connection', async (version) => {
  const { server, changeTools, changePage, watched } = changing();
  const first = await Wire.open(server, version);
  listen(first, { toolsListChanged: true, resourceSubscriptions: ['page:///one'] });
  await first.nextFromServer();
  expect([...watched.keys()]).toEqual(['one']);
  await first.end();
  expect([...watched.keys()]).toEqual([]);
  const second = await Wire.open(server, version);
  changeTools();
  changePage('one');
  await second.result('tools/list');
  expect(await second.end()).toEqual([]);
});

requirement('SUB-09', 'a client can end one of several subscriptions', async (version) => {
  const { server, changeTools, changePrompts, changePage, watched } = changing();
  const wire = await Wire.open(server, version);
  const pages = listen(wire, { resourceSubscriptions: ['page:///one'] });
  const tools = listen(wire, { toolsListChanged: true, resourceSubscriptions: ['page:///one'] });
  const prompts = listen(wire, { promptsListChanged: true });
  for (let count = 0; count < 3; count++) await wire.nextFromServer();
  wire.notify('notifications/cancelled', { requestId: tools });
  await wire.result('tools/list');
  expect(watched.size).toBe(1);
  changeTools();
  changePage('one');
  changePrompts();
  const received = [await wire.nextFromServer(), await wire.nextFromServer()];
  expect(
    received.map(({ params }) => ((params as JsonObject)['_meta'] as JsonObject)[subscriptionId]),
  ).toEqual([pages, prompts]);
  await wire.end();
  expect(wire.raw.received.filter(({ id }) => id === tools)).toEqual([]);
  expect(wire.raw.received.filter(({ id }) => id === pages)).toHaveLength(1);
});

requirement(['SUB-10', 'LOG-05'], 'a subscription stream has no logs and no progress', async (version) => {
  const { server, changePage } = changing();
  const wire = await Wire.open(server, version, { logLevel: 'debug' });
  listen(wire, { resourceSubscriptions: ['page:///one'] }, { progressToken: 'listening' });
  await wire.nextFromServer();
  changePage('one');
  expect(await wire.nextFromServer()).toMatchObject({ method: 'notifications/resources/updated' });
  expect((await wire.end()).map(({ method }) => method)).toEqual([
    acknowledged,
    'notifications/resources/updated',
    'notifications/cancelled',
  ]);
});
