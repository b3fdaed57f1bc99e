import { defineResource, defineServer, defineTool } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';

type Places = { readonly places: readonly string[] };

const look = defineTool({
  name: 'look',
  description: 'Names the places',
  run: (_, { places }: Places) => places.join(' ') || 'nowhere',
});

/** Refuses what is in no place; a change is told when `changes` says so. */
const changes = new Set<() => void>();
const thing = defineResource({
  uri: 'thing:///{place}',
  name: 'thing',
  read: ({ place }, { places }: Places) => {
    if (!places.includes(place)) throw new Error(`Not here: "${place}"`);
    return 'here';
  },
  watch({ place }, changed, { places }: Places) {
    if (!places.includes(place)) throw new Error(`Not here: "${place}"`);
    changes.add(changed);
    return () => void changes.delete(changed);
  },
  list: ({ places }: Places) => places.map((place) => ({ uri: `thing:///${place}`, name: place })),
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

describe.each(legacy)('at %s, the context', (protocolVersion) => {
  test("is the one that the client's roots make, from the first call on and for each client", async () => {
    await using one = await connect(server, { protocolVersion, roots: async () => rootsOf('a', 'b') });
    await using two = await connect(server, { protocolVersion, roots: async () => rootsOf('c') });
    await using none = await connect(server, { protocolVersion });
    const said = await Promise.all([one, two, none].map((client) => client.callTool('look')));
    expect(said.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'a b' }],
      [{ type: 'text', text: 'c' }],
      [{ type: 'text', text: 'everywhere' }],
    ]);
    expect(await one.listResources()).toHaveLength(2);
  });

  test('is asked for once, and again when the client says that its roots have changed', async () => {
    let asked = 0;
    let roots = rootsOf('a');
    const options = { protocolVersion, roots: () => (asked++, Promise.resolve(roots)) };
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

  test('ends subscriptions that it refuses, and tells of it', async () => {
    let roots = rootsOf('a', 'b');
    await using client = await connect(server, { protocolVersion, roots: async () => roots });
    const told = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    await client.subscribe('thing:///a', told.a.resolve);
    await client.subscribe('thing:///b', told.b.resolve);
    expect(changes.size).toBe(2);
    roots = rootsOf('b');
    client.notify('notifications/roots/list_changed');
    await Promise.all([told.a.promise, told.b.promise]);
    await client.ping();
    expect(changes.size).toBe(1);
    await expect(client.readResource('thing:///a')).rejects.toThrow();
    await expect(client.request('resources/subscribe', { uri: 'thing:///a' })).rejects.toThrow(
      'Not here: "a"',
    );
    expect((await client.readResource('thing:///b')).contents).toMatchObject([{ text: 'here' }]);
  });

  test('stays what it was when the roots cannot be had', async () => {
    let roots = () => Promise.resolve(rootsOf('bad'));
    await using client = await connect(server, { protocolVersion, roots: () => roots() });
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'everywhere' }]);
    roots = () => Promise.resolve(rootsOf('a'));
    client.notify('notifications/roots/list_changed');
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'a' }]);
    roots = () => Promise.reject(new Error('Asleep'));
    client.notify('notifications/roots/list_changed');
    expect((await client.callTool('look')).content).toMatchObject([{ text: 'a' }]);
  });
});

test("at 2026-07-28 the context is the server's own: there is no conversation that could have another", async () => {
  await using client = await connect(server, {
    protocolVersion: '2026-07-28',
    roots: async () => rootsOf('a'),
  });
  expect((await client.callTool('look')).content).toMatchObject([{ text: 'everywhere' }]);
});
