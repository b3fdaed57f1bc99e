import { describe, expect, test } from 'vitest';
import {
  type Call,
  defineExtension,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  extensionMeta,
  extensionSettings,
  notifyExtension,
  serveExtension,
  type Wrap,
} from '@mcp/protocol';
import { Client, serverAt } from '@mcp/protocol/client';
import { serveHttp } from '@mcp/protocol/http';
import { connect } from '@mcp/protocol/testing';
import * as z from 'zod';
import { revisions } from '../src/revisions/table.ts';
import { tasksExtension } from '../src/revisions/tasks-extension.ts';
import { atEveryRevision } from './every-revision.ts';
import { Wire } from './requirements/wire.ts';

// An extension of a third party: only what the package exports.
type Shelf = { readonly books: Map<string, number> };

const library = defineExtension({
  id: 'com.example/library',
  methods: {
    'library/lend': {
      params: z.object({ book: z.string() }),
      result: z.object({ left: z.number().int() }),
    },
    'library/sell': { params: z.object({ book: z.string() }), result: z.object({ sold: z.boolean() }) },
  },
  notifications: { 'notifications/library/lent': z.object({ book: z.string() }) },
  meta: { 'com.example/reader': z.string() },
});

const whoReads = defineTool({
  name: 'who_reads',
  description: 'Names the reader.',
  run: async (_, call) => (await extensionMeta(call, library, 'com.example/reader')) ?? 'nobody',
});

const shelf = (wrap: readonly Wrap<object>[] = []) =>
  defineServer({
    name: 'shelf',
    version: '1.0.0',
    context: { books: new Map([['Emma', 2]]) },
    tools: [whoReads],
    wrap,
    extensions: [
      serveExtension(library, {
        settings: { city: 'Bath' },
        run: {
          'library/lend': ({ book }, call: Call<Shelf>) => {
            const { books } = call.context;
            const left = (books.get(book) ?? 0) - 1;
            if (left < 0) throw new Error(`No such book: "${book}"`);
            books.set(book, left);
            notifyExtension(call, library, 'notifications/library/lent', { book });
            return { left };
          },
          'library/sell': async ({ book }, { ask }: Call<Shelf>) => {
            const sure = await ask('sure', elicit(`Sell ${book}?`, z.object({ yes: z.boolean() })));
            return { sold: sure?.yes === true };
          },
        },
      }),
    ],
  });

const extensions = { [library.id]: {} };

atEveryRevision((revision) => {
  test('both ends declare it, and a request is answered', async () => {
    const notified: unknown[] = [];
    await using client = await connect(shelf(), {
      revision,
      extensions,
      onNotification: (method, params) => notified.push([method, params]),
    });
    expect(extensionSettings(client.capabilities, library)).toEqual({ city: 'Bath' });
    expect(await client.callExtension(library, 'library/lend', { book: 'Emma' })).toEqual({ left: 1 });
    expect(notified).toEqual([['notifications/library/lent', { book: 'Emma' }]]);
  });

  test.each([
    ['parameters', { book: 1 }, 'Invalid params of library/lend'],
    ['a book that is not there', { book: 'Persuasion' }, 'No such book: "Persuasion"'],
  ])('wrong %s: refused', async (_, params, message) => {
    await using client = await connect(shelf(), { revision, extensions });
    const sent = client.callExtension(library, 'library/lend', params as { book: string });
    await expect(sent).rejects.toThrow(message);
  });

  test('a client that does not declare it gets the error of a missing capability', async () => {
    const wire = await Wire.open(shelf(), revision, { capabilities: {} });
    expect(await wire.error('library/lend', { book: 'Emma' })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions } },
    });
    await wire.end();
  });

  test('a server that does not declare it gets no request', async () => {
    await using client = await connect(defineServer({ name: 'plain', version: '1.0.0' }), {
      revision,
      extensions,
    });
    await expect(client.callExtension(library, 'library/lend', { book: 'Emma' })).rejects.toThrow(
      'The server does not declare the extension "com.example/library"',
    );
  });

  test('a client sends a field of `_meta` with a call', async () => {
    await using client = await connect(shelf(), { revision });
    const { content } = await client.callTool('who_reads', {}, { meta: { 'com.example/reader': 'Ada' } });
    expect(content).toMatchObject([{ text: 'Ada' }]);
  });

  test('a field of `_meta` reaches every handler', async () => {
    const wire = await Wire.open(shelf(), revision);
    const call = (meta: object) => wire.call('who_reads', {}, meta as never);
    expect(await call({ 'com.example/reader': 'Ada' })).toMatchObject({ content: [{ text: 'Ada' }] });
    expect(await call({})).toMatchObject({ content: [{ text: 'nobody' }] });
    expect(await call({ 'com.example/reader': 7 })).toMatchObject({ isError: true });
    await wire.end();
  });

  if (revision < '2025-06-18') return;
  test('a handler asks the user', async () => {
    await using client = await connect(shelf(), {
      revision,
      extensions,
      elicit: async () => ({ action: 'accept', content: { yes: true } }),
    });
    expect(await client.callExtension(library, 'library/sell', { book: 'Emma' })).toEqual({ sold: true });
  });
});

describe('the fields of `_meta` of a result', () => {
  const _meta = { 'com.example/from': 'Bath' };
  const params = z.object({});
  const from = defineExtension({
    id: 'com.example/from',
    methods: {
      'from/named': {
        params,
        result: z.object({ n: z.number(), _meta: z.object({ 'com.example/from': z.string() }) }),
      },
      'from/loose': { params, result: z.looseObject({ n: z.number() }) },
      'from/strict': { params, result: z.strictObject({ n: z.number() }) },
      'from/plain': { params, result: z.object({ n: z.number() }) },
    },
    requiresClient: false,
  });
  const run = {
    'from/named': () => ({ n: 1, _meta }),
    'from/loose': () => ({ n: 1, _meta }),
    'from/strict': () => ({ n: 1 }),
    'from/plain': () => ({ n: 1 }),
  };
  const server = defineServer({
    name: 'from',
    version: '1.0.0',
    extensions: [serveExtension(from, { run })],
  });

  atEveryRevision((revision) => {
    test('reach the schema of the result, and a strict schema needs no `_meta`', async () => {
      await using client = await connect(server, { revision });
      expect(await client.callExtension(from, 'from/named', {})).toEqual({ n: 1, _meta });
      expect(await client.callExtension(from, 'from/loose', {})).toMatchObject({ n: 1, _meta });
      expect(await client.callExtension(from, 'from/strict', {})).toEqual({ n: 1 });
      expect(await client.callExtension(from, 'from/plain', {})).toEqual({ n: 1 });
    });
  });
});

test('over HTTP it is the same', async () => {
  const listener = await serveHttp(shelf(), { port: 0 });
  try {
    for (const revision of ['2026-07-28', '2025-06-18']) {
      await using client = await Client.connect(serverAt(listener.url), { extensions, revision });
      const { left } = await client.callExtension(library, 'library/lend', { book: 'Emma' });
      expect(left).toBe(revision === '2026-07-28' ? 1 : 0);
    }
  } finally {
    await listener.close();
  }
});

test('the functions around handlers see its requests', async () => {
  const seen: string[] = [];
  const wrap: Wrap<object> = ({ method, name }, next) => {
    seen.push(`${method} ${name}`);
    return next();
  };
  await using client = await connect(shelf([wrap]), { extensions });
  await client.callExtension(library, 'library/lend', { book: 'Emma' });
  expect(seen).toEqual(['library/lend com.example/library']);
});

test('an extension is declared only in the revisions that carry it', async () => {
  const recent = defineExtension({
    id: 'com.example/recent',
    methods: { 'recent/get': { params: z.object({}), result: z.object({}) } },
    revisions: ['2026-07-28'],
    requiresClient: false,
  });
  const server = defineServer({
    name: 'recent',
    version: '1.0.0',
    extensions: [serveExtension(recent, { run: { 'recent/get': () => ({}) } })],
  });
  await using modern = await connect(server, { revision: '2026-07-28' });
  expect(modern.capabilities).toMatchObject({ extensions: { 'com.example/recent': {} } });
  expect(await modern.callExtension(recent, 'recent/get', {})).toEqual({});
  const wire = await Wire.open(server, '2025-11-25');
  expect(await wire.capabilities()).not.toHaveProperty('extensions');
  expect(await wire.error('recent/get')).toMatchObject({ code: -32601 });
  await wire.end();
});

test('the state of a question is valid only for the same parameters, in any order', async () => {
  const params = z.object({ book: z.string(), count: z.number() });
  const shop = defineExtension({
    id: 'com.example/shop',
    methods: { 'shop/sell': { params, result: z.object({ sold: z.string() }) } },
    requiresClient: false,
  });
  const server = defineServer({
    name: 'shop',
    version: '1.0.0',
    extensions: [
      serveExtension(shop, {
        run: {
          'shop/sell': async ({ book }, { ask }) => {
            const sure = await ask('sure', elicit('Sell?', z.object({ yes: z.boolean() })));
            return { sold: sure?.yes ? book : '' };
          },
        },
      }),
    ],
  });
  const wire = await Wire.open(server, '2026-07-28', { capabilities: { elicitation: {} } });
  const first = await wire.result('shop/sell', { book: 'Emma', count: 1 });
  const answer = {
    requestState: first['requestState'],
    inputResponses: { sure: { action: 'accept', content: { yes: true } } },
  };
  expect(await wire.error('shop/sell', { book: 'Persuasion', count: 1, ...answer })).toMatchObject({
    message: expect.stringContaining('"requestState" is refused') as string,
  });
  expect(await wire.result('shop/sell', { count: 1, book: 'Emma', ...answer })).toMatchObject({
    sold: 'Emma',
  });
  await wire.end();
});

describe('results', () => {
  const served = (value: () => unknown) => {
    const any = defineExtension({
      id: 'com.example/any',
      methods: { 'any/get': { params: z.object({}), result: z.any() } },
      requiresClient: false,
    });
    return defineServer({
      name: 'any',
      version: '1.0.0',
      extensions: [serveExtension(any, { run: { 'any/get': value } })],
    });
  };

  test.each([[1], 'x', 1, new Date(0), null, undefined, () => 1])(
    '%s is no object: an error',
    async (value) => {
      const wire = await Wire.open(
        served(() => value),
        '2026-07-28',
      );
      expect(await wire.error('any/get')).toMatchObject({
        code: -32603,
        message: 'Invalid result of any/get: it must be an object',
      });
      await wire.end();
    },
  );

  test.each(['2025-11-25', '2026-07-28'])('cannot ask the user, at %s', async (revision) => {
    const question = { method: 'elicitation/create', params: { message: 'Password?', requestedSchema: {} } };
    const wire = await Wire.open(
      served(() => ({ resultType: 'input_required', inputRequests: { it: question }, own: 1 })),
      revision,
    );
    const { resultType, own } = await wire.result('any/get');
    expect([resultType, own]).toEqual([revision === '2026-07-28' ? 'complete' : undefined, 1]);
    await wire.end();
  });
});

test('a notification is checked, and sent only where the extension is', async () => {
  const text = z.object({ text: z.string() });
  const recent = defineExtension({
    id: 'com.example/recent',
    notifications: { 'notifications/recent': text },
    meta: { 'com.example/m': z.string() },
    revisions: ['2026-07-28'],
  });
  let late: (() => boolean) | undefined;
  const tell = defineTool({
    name: 'tell',
    description: 'Tells.',
    async run(_, call) {
      late = () => notifyExtension(call, recent, 'notifications/recent', { text: 'late' });
      const wrong = { text: 1 } as unknown as { text: string };
      if (call.client.revision === '2026-07-28')
        expect(() => notifyExtension(call, recent, 'notifications/recent', wrong)).toThrow('Invalid params');
      return JSON.stringify([
        notifyExtension(call, recent, 'notifications/recent', { text: 'Hi' }),
        (await extensionMeta(call, recent, 'com.example/m')) ?? null,
      ]);
    },
  });
  const server = defineServer({
    name: 'recent',
    version: '1.0.0',
    tools: [tell],
    extensions: [serveExtension(recent, { run: {} })],
  });
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const got: string[] = [];
    await using client = await connect(server, {
      revision,
      extensions: { [recent.id]: {} },
      onNotification: (method) => got.push(method),
    });
    const result = await client.request('tools/call', {
      name: 'tell',
      arguments: {},
      _meta: { 'com.example/m': 'read' },
    });
    const isCarried = revision === '2026-07-28';
    expect(result).toMatchObject({ content: [{ text: isCarried ? '[true,"read"]' : '[false,null]' }] });
    expect(late?.()).toBe(false);
    expect(got).toEqual(isCarried ? ['notifications/recent'] : []);
  }
});

describe('mistakes', () => {
  const object = z.object({});
  const method = { params: object, result: object };

  test.each(['echo', 'com.example/', '/echo', 'com..example/echo', ''])('the id %j', (id) => {
    expect(() => defineExtension({ id })).toThrow('Invalid id of an extension');
  });

  test('a method without a handler', () => {
    const inherited = defineExtension({ id: 'com.example/a', methods: { toString: method } });
    expect(() => serveExtension(inherited, { run: {} as never })).toThrow('The method "toString" needs');
    expect(() => serveExtension(library, { run: {} as never })).toThrow(
      'The method "library/lend" needs a function in `run`',
    );
  });

  const server = (...ids: string[]) =>
    defineServer({
      name: 'twice',
      version: '1.0.0',
      extensions: ids.map((id) =>
        serveExtension(defineExtension({ id, methods: { 'a/b': method } }), { run: { 'a/b': () => ({}) } }),
      ),
    });
  test('two extensions of one id, or with one method', () => {
    expect(() => server('com.example/a', 'com.example/a')).toThrow('Duplicate extension: "com.example/a"');
    expect(() => server('com.example/a', 'com.example/b')).toThrow('Duplicate method of an extension: "a/b"');
  });

  test.each([
    ...new Set(revisions.flatMap(({ requests, clientRequests }) => [...requests, ...clientRequests])),
  ])('the method %j of the protocol', (name) => {
    expect(() => defineExtension({ id: 'com.example/greedy', methods: { [name]: method } })).toThrow(
      `The extension "com.example/greedy" cannot have the method "${name}": the protocol has it`,
    );
  });

  test.each([...Object.keys(tasksExtension.methods), 'tasks/list', 'tasks/result'])(
    'the method %j of the tasks extension',
    (name) => {
      expect(() => defineExtension({ id: 'com.example/greedy', methods: { [name]: method } })).toThrow(
        `The extension "com.example/greedy" cannot have the method "${name}": the extension "${tasksExtension.id}" has such names`,
      );
    },
  );

  test.each([
    '',
    'rpc.discover',
    'notifications/library/lent',
    'initialize ',
    'library/\u0000',
    'библиотека/list',
  ])('the method %j', (name) => {
    expect(() => defineExtension({ id: 'com.example/a', methods: { [name]: method } })).toThrow(
      `The extension "com.example/a" cannot have the method ${JSON.stringify(name)}: `,
    );
  });

  test.each(['notifications/progress', 'notifications/tools/list_changed', 'tools/call', 'rpc.x', ''])(
    'the notification %j',
    (name) => {
      expect(() => defineExtension({ id: 'com.example/a', notifications: { [name]: object } })).toThrow(
        `The extension "com.example/a" cannot have the notification ${JSON.stringify(name)}: `,
      );
    },
  );

  test('names of the prototype are names like others', async () => {
    const methods = Object.fromEntries(['__proto__', 'constructor'].map((name) => [name, method]));
    const odd = defineExtension({ id: 'com.example/odd', methods });
    const run = Object.fromEntries(Object.keys(methods).map((name) => [name, () => ({})]));
    const odds = defineServer({ name: 'odd', version: '1.0.0', extensions: [serveExtension(odd, { run })] });
    await using client = await connect(odds, { extensions: { [odd.id]: {} } });
    for (const name of Object.keys(methods)) expect(await client.callExtension(odd, name, {})).toEqual({});
  });
});

describe('resources of an extension', () => {
  const page = defineResource({
    uri: 'book:///{title}',
    name: 'Book',
    read: ({ title }) => `The text of ${title}`,
    watch: (_, changed) => {
      const timer = setInterval(changed, 5);
      return () => clearInterval(timer);
    },
  });
  const index = defineResource({ uri: 'book:index', name: 'Index', read: () => 'The index' });
  const served = serveExtension(defineExtension({ id: 'com.example/books' }), {
    run: {},
    resources: [page, index],
  });
  const server = defineServer({ name: 'books', version: '1.0.0', extensions: [served] });

  atEveryRevision((revision) => {
    test('are read and watched, and in no list', async () => {
      await using client = await connect(server, { revision });
      expect(client.capabilities['resources']).toEqual({ subscribe: true });
      expect(await client.listResources()).toEqual([]);
      expect(await client.listResourceTemplates()).toEqual([]);
      const { contents } = await client.readResource('book:///Emma');
      expect(contents).toMatchObject([{ text: 'The text of Emma' }]);
      expect((await client.readResource('book:index')).contents).toMatchObject([{ text: 'The index' }]);
      const { promise, resolve } = Promise.withResolvers<void>();
      await client.subscribe('book:///Emma', resolve);
      await promise;
    });
  });

  test('what `list` of a template returns is listed', async () => {
    const listing = defineResource({
      uri: 'book:///{title}',
      name: 'Book',
      read: ({ title }) => title,
      list: () => [{ uri: 'book:///Emma', name: 'Emma' }],
    });
    const shown = serveExtension(defineExtension({ id: 'com.example/books' }), {
      run: {},
      resources: [listing, index],
    });
    await using client = await connect(defineServer({ name: 'a', version: '1', extensions: [shown] }));
    expect(await client.listResources()).toEqual([{ uri: 'book:///Emma', name: 'Emma' }]);
    expect(await client.listResourceTemplates()).toEqual([]);
  });

  test('a resource of the server at the same URI is read instead', async () => {
    const own = defineResource({ uri: 'book:///{title}', name: 'Own', read: () => 'Own' });
    const both = defineServer({ name: 'both', version: '1.0.0', resources: [own], extensions: [served] });
    await using client = await connect(both);
    expect((await client.readResource('book:///Emma')).contents).toMatchObject([{ text: 'Own' }]);
    expect(await client.listResourceTemplates()).toHaveLength(1);
  });

  test('must be made by defineResource', () => {
    const wrong = { uri: 'book:index' } as never;
    const extension = defineExtension({ id: 'com.example/books' });
    expect(() => serveExtension(extension, { run: {}, resources: [wrong] })).toThrow(
      'Every resource of a server must be made by `defineResource(…)`',
    );
  });
});
