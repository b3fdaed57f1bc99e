import {
  type Call,
  type ClientRootsOptions,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  readInClientRoots,
  requireConfirmation,
  runInClientRoots,
} from '@mcp/protocol';
import { connect, RawConnection } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';
import { call, initialize } from './hostile/messages.ts';

type Places = { readonly places: readonly string[] };

const look = defineTool({
  name: 'look',
  description: 'Names the places',
  run: (_, { context: { places } }: Call<Places>) => places.join(' ') || 'nowhere',
});

/** Refuses URIs outside of the roots; `changes` controls the notifications. */
const changes = new Set<() => void>();
const thing = defineResource({
  uri: 'thing:///{place}',
  name: 'thing',
  read: ({ place }, { context: { places } }: Call<Places>) => {
    if (!places.includes(place)) throw new Error(`Not here: "${place}"`);
    return 'here';
  },
  watch({ place }, changed, { context: { places } }: Call<Places>) {
    if (!places.includes(place)) throw new Error(`Not here: "${place}"`);
    changes.add(changed);
    return () => void changes.delete(changed);
  },
  list: ({ context: { places } }: Call<Places>) =>
    places.map((place) => ({ uri: `thing:///${place}`, name: place })),
  watchList: () => () => {},
});

const server = defineServer<Places>({
  name: 'example',
  version: '1.0.0',
  context: { places: ['everywhere'] },
  contextFor(roots) {
    if (roots.some(({ uri }) => uri === 'file:///bad')) throw new Error('Bad');
    return { places: roots.map(({ uri }) => uri.slice('file:///'.length)) };
  },
  tools: [look],
  resources: [thing],
});

const rootsOf = (...names: string[]) => names.map((name) => ({ uri: `file:///${name}` }));
const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

describe.each(legacy)('at %s, the context', (revision) => {
  test('is built from the roots of each client, from its first call on', async () => {
    await using one = await connect(server, { revision, roots: async () => rootsOf('a', 'b') });
    await using two = await connect(server, { revision, roots: async () => rootsOf('c') });
    await using none = await connect(server, { revision });
    const said = await Promise.all([one, two, none].map((client) => client.callTool('look')));
    expect(said.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'a b' }],
      [{ type: 'text', text: 'c' }],
      [{ type: 'text', text: 'everywhere' }],
    ]);
    expect(await one.listResources()).toHaveLength(2);
  });

  test('is built from one roots/list request, and from another when the client reports a change', async () => {
    let asked = 0;
    let roots = rootsOf('a');
    const options = { revision, roots: () => (asked++, Promise.resolve(roots)) };
    await using client = await connect(server, options);
    await client.listTools();
    expect(asked).toBe(0);
    for (let call = 0; call < 3; call++) await client.callTool('look');
    expect(asked).toBe(1);
    roots = rootsOf('b');
    client.notify('notifications/roots/list_changed');
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'b' }]);
    expect(asked).toBe(2);
  });

  test('ends the subscriptions that it refuses, and notifies the client', async () => {
    let roots = rootsOf('a', 'b');
    await using client = await connect(server, { revision, roots: async () => roots });
    const received = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    await client.subscribe('thing:///a', received.a.resolve);
    await client.subscribe('thing:///b', received.b.resolve);
    expect(changes.size).toBe(2);
    roots = rootsOf('b');
    client.notify('notifications/roots/list_changed');
    await Promise.all([received.a.promise, received.b.promise]);
    await client.ping();
    expect(changes.size).toBe(1);
    await expect(client.readResource('thing:///a')).rejects.toThrow();
    await expect(client.request('resources/subscribe', { uri: 'thing:///a' })).rejects.toThrow(
      'Not here: "a"',
    );
    expect((await client.readResource('thing:///b')).contents).toMatchObject([{ text: 'here' }]);
  });

  test('fails for roots that the server refuses, until they change', async () => {
    let roots = rootsOf('bad');
    await using client = await connect(server, { revision, roots: async () => roots });
    for (let time = 0; time < 2; time++) {
      await expect(client.callTool('look')).rejects.toThrow("The client's roots cannot be used: Bad");
      await expect(client.readResource('thing:///a')).rejects.toThrow(
        "The client's roots cannot be used: Bad",
      );
    }
    roots = rootsOf('a');
    client.notify('notifications/roots/list_changed');
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'a' }]);
  });

  test('has an empty URI for a malformed root, so that it narrows the list', async () => {
    const wire = new RawConnection(server);
    await wire.ask(initialize(revision, 'init', { roots: {} }));
    wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { id, method } = await wire.ask(call(1, 'look'));
    expect(method).toBe('roots/list');
    const answer = { roots: [{ name: 'no URI' }, ...rootsOf('a'), 5] };
    expect(await wire.ask({ jsonrpc: '2.0', id, result: answer })).toMatchObject({
      id: 1,
      result: { content: [{ text: ' a ' }] },
    });
    await wire.end();
  });

  test('is built from one more roots/list request, however often the roots change during the first', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const roots = async () => {
      asked++;
      await promise;
      return rootsOf('a');
    };
    await using client = await connect(server, { revision, roots });
    for (let time = 0; time < 1_000; time++) client.notify('notifications/roots/list_changed');
    await client.ping();
    resolve();
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'a' }]);
    expect(asked).toBeLessThanOrEqual(2);
  });

  test('stays the same when the client does not return its roots', async () => {
    let roots = () => Promise.reject<typeof first>(new Error('Asleep'));
    const first = rootsOf('a');
    await using client = await connect(server, { revision, roots: () => roots() });
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'everywhere' }]);
    roots = () => Promise.resolve(rootsOf('a'));
    client.notify('notifications/roots/list_changed');
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'a' }]);
    roots = () => Promise.reject(new Error('Asleep'));
    client.notify('notifications/roots/list_changed');
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'a' }]);
  });
});

test('at 2026-07-28 every request gets the context of the server', async () => {
  await using client = await connect(server, {
    revision: '2026-07-28',
    roots: async () => rootsOf('a'),
  });
  expect((await client.callTool('look')).content).toMatchObject([{ text: 'everywhere' }]);
});

const clientRoots: ClientRootsOptions<Places> = {
  isNeeded: ({ places }) => places.length === 0,
  within: (roots, _, run) => run({ places: roots.map(({ uri }) => uri.slice('file:///'.length)) }),
};

const confirmed = defineTool({
  name: 'confirmed',
  description: 'Names the places after a question',
  async run(_, call: Call<Places>) {
    const { places } = call.context;
    await requireConfirmation(call, 'Name the places?');
    return places.join(' ');
  },
});

const greet = definePrompt({
  name: 'greet',
  description: 'Names the places',
  run: (_, { context: { places } }: Call<Places>) => places.join(' '),
});

/** A server whose tools, prompts and resources request the roots in each call, unless it has places. */
const requesting = (places: readonly string[]) =>
  defineServer<Places>({
    name: 'example',
    version: '1.0.0',
    context: { places },
    tools: runInClientRoots([look, confirmed], clientRoots),
    prompts: runInClientRoots([greet], clientRoots),
    resources: readInClientRoots([thing], clientRoots),
  });

describe('runInClientRoots and readInClientRoots', () => {
  const options = {
    protocolVersion: '2026-07-28',
    roots: async () => rootsOf('a', 'b'),
    elicit: async () => ({ action: 'accept' as const, content: { confirm: true } }),
  };

  test('tools, prompts and resources run in the roots that each call requests', async () => {
    await using client = await connect(requesting([]), options);
    expect((await client.callTool('look')).content).toEqual([{ type: 'text', text: 'a b' }]);
    expect(JSON.stringify(await client.getPrompt('greet'))).toContain('"a b"');
    expect(JSON.stringify(await client.readResource('thing:///a'))).toContain('here');
    await expect(client.readResource('thing:///c')).rejects.toThrow('Not here: "c"');
  });

  test('a handler that requests input gets the roots again with the answers', async () => {
    await using client = await connect(requesting([]), options);
    expect((await client.callTool('confirmed')).content).toEqual([{ type: 'text', text: 'a b' }]);
  });

  test('no roots are requested where they are not needed, or the client has none', async () => {
    await using needless = await connect(requesting(['mine']), options);
    expect((await needless.callTool('look')).content).toEqual([{ type: 'text', text: 'mine' }]);
    await using without = await connect(requesting([]), { revision: '2026-07-28' });
    expect((await without.callTool('look')).content).toEqual([{ type: 'text', text: 'nowhere' }]);
  });
});
