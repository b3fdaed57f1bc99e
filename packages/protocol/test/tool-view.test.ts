import { describe, expect, test } from 'vitest';
import {
  type Call,
  defineExtension,
  defineResource,
  defineServer,
  defineTool,
  extensionSettings,
  jsonSchema,
  type Mount,
  mount,
  type ServedExtension,
  serveExtension,
  supportsExtension,
  type ToolView,
} from '@mcp/protocol';
import { type Client, connect } from '@mcp/protocol/testing';
import { atEveryRevision } from './every-revision.ts';
import { Wire } from './requirements/wire.ts';

// An extension of a third party that shows a picture with the results of a tool.
const pictures = defineExtension({
  id: 'com.example/pictures',
  accepts: ({ formats }) => Array.isArray(formats) && formats.includes('svg'),
});

const picture: ToolView = {
  extension: pictures,
  toolMeta: { picture: 'picture://clock' },
  uri: 'picture://clock',
  isOnlyForViews: false,
};

const served = serveExtension(pictures, {
  run: {},
  resources: [defineResource({ uri: 'picture://clock', name: 'Clock', read: () => '<svg/>' })],
});

const time = defineTool({
  name: 'time',
  description: 'Says the time.',
  _meta: { kept: 1 },
  view: picture,
  run: (_, call) => `drawn: ${supportsExtension(call, pictures)}`,
});

const wind = defineTool({
  name: 'timer',
  description: 'Winds the clock.',
  view: { ...picture, uri: undefined, toolMeta: { picture: 'none' }, isOnlyForViews: true },
  run: () => 'wound',
});

const plain = defineTool({ name: 'plain', description: 'Does nothing.', run: () => 'done' });

const clock = { name: 'clock', version: '1.0.0', tools: [time, wind, plain], extensions: [served] };

const supporting = { [pictures.id]: { formats: ['svg'] } };

atEveryRevision((revision) => {
  test('a client that supports the extension gets all of it', async () => {
    await using client = await connect(defineServer(clock), { revision, extensions: supporting });
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['time', 'timer', 'plain']);
    // `_meta` of a tool is a part of the protocol from 2025-06-18 on.
    const expected = revision < '2025-06-18' ? undefined : { kept: 1, picture: 'picture://clock' };
    expect(tools[0]?._meta).toEqual(expected);
    expect(tools[2]).not.toHaveProperty('_meta');
    expect(await client.callTool('timer')).toMatchObject({ content: [{ text: 'wound' }] });
    expect(await client.callTool('time')).toMatchObject({ content: [{ text: 'drawn: true' }] });
  });

  test.each([
    ['does not declare it', {}],
    ['declares it with other settings', { [pictures.id]: { formats: ['png'] } }],
    ['declares it without settings', { [pictures.id]: {} }],
    ['declares something else', { [pictures.id]: 'svg' }],
  ])('a client that %s gets none of it', async (_, extensions) => {
    const wire = await Wire.open(defineServer(clock), revision, { capabilities: { extensions } });
    const { tools } = await wire.result('tools/list');
    expect(JSON.stringify(tools)).not.toContain('picture');
    expect(tools).toMatchObject([{ name: 'time' }, { name: 'plain' }]);
    expect(await wire.error('tools/call', { name: 'timer' })).toMatchObject({
      code: -32602,
      message: 'Unknown tool: "timer"; did you mean "time"?',
    });
    expect(await wire.call('time')).toMatchObject({ content: [{ text: 'drawn: false' }] });
    await wire.end();
  });

  test('a list without views has the same bytes as that of a server without them', async () => {
    const bare = defineTool({ ...time.definition, view: undefined as never, run: () => '' });
    const lists = [defineServer(clock), defineServer({ ...clock, tools: [bare, plain], extensions: [] })];
    const texts = [];
    for (const server of lists) {
      const wire = await Wire.open(server, revision);
      texts.push(JSON.stringify((await wire.result('tools/list'))['tools']));
      await wire.end();
    }
    expect(texts[0]).toBe(texts[1]);
  });
});

test('a list with views is cached for its client alone', async () => {
  const wire = await Wire.open(defineServer(clock), '2026-07-28');
  // Other clients would take what a cache keeps of one client.
  expect(await wire.result('tools/list')).toMatchObject({ cacheScope: 'private' });
  expect(await wire.result('server/discover')).toMatchObject({ cacheScope: 'private' });
  await wire.end();
});

describe('mounted tools keep their views', () => {
  const mounted = defineServer({
    name: 'mounted',
    version: '1',
    context: { ink: 'black' },
    tools: [time, wind],
    extensions: [
      serveExtension(pictures, {
        run: {},
        resources: [
          defineResource({
            uri: 'picture://clock',
            name: 'Clock',
            read: (_, { context: { ink } }: Call<{ ink: string }>) => `<svg>${ink}</svg>`,
          }),
          defineResource({ uri: 'picture://other', name: 'Other', read: () => '<svg/>' }),
        ],
      }),
    ],
  });
  const outer = (mounts: readonly Mount[], extensions: readonly ServedExtension<object>[] = []) =>
    defineServer({ name: 'outer', version: '1', mounts, extensions });
  const textAt = async (client: Client, uri: string) => (await client.readResource(uri)).contents;

  test('which are read in the context of their server', async () => {
    await using client = await connect(outer([mount(mounted, { prefix: 'in' })]), { extensions: supporting });
    expect(extensionSettings(client.capabilities, pictures)).toEqual({});
    expect(await client.listTools()).toMatchObject([
      { name: 'in_time', _meta: { picture: 'picture://clock' } },
      { name: 'in_timer' },
    ]);
    expect(await textAt(client, 'picture://clock')).toMatchObject([{ text: '<svg>black</svg>' }]);
    await using other = await connect(outer([mount(mounted, { prefix: 'in' })]));
    expect((await other.listTools()).map(({ name }) => name)).toEqual(['in_time']);
  });

  test('also through two mounts, and beside views of the outer server', async () => {
    const own = serveExtension(pictures, {
      run: {},
      resources: [defineResource({ uri: 'picture://own', name: 'Own', read: () => '<svg>own</svg>' })],
    });
    await using client = await connect(outer([mount(outer([mount(mounted)]))], [own]), {
      extensions: supporting,
    });
    expect(await textAt(client, 'picture://own')).toMatchObject([{ text: '<svg>own</svg>' }]);
    expect(await textAt(client, 'picture://clock')).toMatchObject([{ text: '<svg>black</svg>' }]);
  });

  test('but not those of tools that are not chosen', async () => {
    await using client = await connect(outer([mount(mounted, { select: ['time'] })]), {
      extensions: supporting,
    });
    expect(await textAt(client, 'picture://clock')).toHaveLength(1);
    await expect(client.readResource('picture://other')).rejects.toThrow('No such resource');
  });

  test('unless two mounts have one URI, which the outer server must then serve itself', async () => {
    const mounts = ['a', 'b'].map((prefix) => mount(mounted, { prefix }));
    expect(() => outer(mounts)).toThrow('Duplicate resource: "picture://clock"');
    const own = serveExtension(pictures, {
      run: {},
      resources: ['picture://clock', 'picture://other'].map((uri) =>
        defineResource({ uri, name: uri, read: () => '<svg>own</svg>' }),
      ),
    });
    await using client = await connect(outer(mounts, [own]), { extensions: supporting });
    expect(await textAt(client, 'picture://clock')).toMatchObject([{ text: '<svg>own</svg>' }]);
  });
});

describe('a view that the server does not serve is refused', () => {
  test('without the extension', () => {
    expect(() => defineServer({ ...clock, extensions: [] })).toThrow(
      'The tool "time" has a view: the server must serve the extension "com.example/pictures"',
    );
  });

  test('without its resource', () => {
    expect(() => defineServer({ ...clock, extensions: [serveExtension(pictures, { run: {} })] })).toThrow(
      'The tool "time" has the view "picture://clock", which `serveViews([…])` must have too',
    );
  });

  test('with another resource at its URI, which would be read', () => {
    const resources = [defineResource({ uri: 'picture://clock', name: 'Text', read: () => 'text' })];
    expect(() => defineServer({ ...clock, resources })).toThrow(
      'The tool "time" has the view "picture://clock", whose URI another resource has',
    );
  });

  test('in tools that are loaded later', async () => {
    const server = defineServer({ ...clock, tools: async () => [time], extensions: [] });
    await using client = await connect(server);
    await expect(client.listTools()).rejects.toThrow();
  });
});

test('a method of an extension refuses settings that the extension does not accept', async () => {
  const any = jsonSchema<object>({ type: 'object' }, (value) => value as object);
  const drawn = defineExtension({
    id: 'com.example/drawn',
    methods: { 'drawn/get': { params: any, result: any } },
    accepts: ({ ink }) => ink === 'black',
  });
  const server = defineServer({
    name: 'drawn',
    version: '1.0.0',
    extensions: [serveExtension(drawn, { run: { 'drawn/get': () => ({}) } })],
  });
  for (const [ink, code] of [
    ['black', undefined],
    ['red', -32021],
  ] as const) {
    await using client = await connect(server, { extensions: { [drawn.id]: { ink } } });
    const sent = client.callExtension(drawn, 'drawn/get', {});
    if (code === undefined) expect(await sent).toEqual({ _meta: expect.anything() as unknown });
    else await expect(sent).rejects.toMatchObject({ cause: { code } });
  }
});
