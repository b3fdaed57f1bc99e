import { expect } from 'vitest';
import { z } from 'zod';
import {
  blobResourceContents,
  defineResource,
  elicit,
  inputRequired,
  LiveList,
  ResourceNotFound,
  textResourceContents,
} from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, stamped, stateless, Wire } from './wire.ts';

const noCache = { ttlMs: 0, scope: 'private' } as const;

/** A resource template of writable pages, with the watches of each page. */
function pageStore() {
  const pages = new Map([
    ['one', 'First'],
    ['two', 'Second'],
  ]);
  const listeners = new Map<string, Set<() => void>>();
  const listListeners = new Set<() => void>();
  const page = defineResource({
    uri: 'page:///{name}',
    name: 'page',
    mimeType: 'text/plain',
    read: ({ name }, { uri }) => {
      const text = pages.get(name);
      if (text === undefined) throw new ResourceNotFound(uri);
      return text;
    },
    watch: ({ name }, changed) => {
      if (!pages.has(name)) throw new Error(`No such page: "${name}"`);
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(changed));
      return () => void all.delete(changed);
    },
    list: () => [...pages.keys()].map((name) => ({ uri: `page:///${name}`, name })),
    watchList: (changed) => {
      listListeners.add(changed);
      return () => void listListeners.delete(changed);
    },
  });
  return {
    page,
    write: (name: string, text: string) => {
      if (!pages.has(name)) for (const changed of listListeners) changed();
      pages.set(name, text);
      for (const changed of listeners.get(name) ?? []) changed();
    },
    watched: (name: string) => listeners.get(name)?.size ?? 0,
  };
}

const fixed = defineResource({ uri: 'note:///fixed', name: 'fixed', read: () => 'Fixed' });

requirement(
  'RES-01',
  'subscribe and listChanged are declared exactly if the server supports them',
  async (version) => {
    const declared = async (...resources: readonly (typeof fixed)[]) =>
      (await Wire.open(example({ resources }), version)).capabilities();
    const watched = defineResource({ uri: 'note:///w', name: 'w', read: () => '', watch: () => () => {} });
    const listed = defineResource({
      uri: 'note:///{n}',
      name: 'n',
      read: () => '',
      watchList: () => () => {},
    });
    expect(await declared(fixed)).toEqual({ resources: {} });
    expect(await declared(watched)).toEqual({ resources: { subscribe: true } });
    expect(await declared(listed)).toEqual({ resources: { listChanged: true } });
    expect(await declared(watched, listed)).toEqual({ resources: { subscribe: true, listChanged: true } });
  },
);

requirement('RES-02', 'an empty list is answered, and is the same for all clients', async (version) => {
  const empty = await Wire.open(example({ resources: new LiveList() }), version);
  expect(await empty.result('resources/list')).toEqual(stamped(version, { resources: [] }, noCache));
  const server = example({ resources: [pageStore().page, fixed] });
  const first = await Wire.open(server, version, { capabilities: { roots: {} } });
  const before = await first.result('resources/list');
  await first.result('resources/read', { uri: 'page:///one' });
  expect(await first.result('resources/list')).toEqual(before);
  expect(await (await Wire.open(server, version)).result('resources/list')).toEqual(before);
  expect(before['resources']).toEqual([
    { uri: 'page:///one', name: 'one' },
    { uri: 'page:///two', name: 'two' },
    { uri: 'note:///fixed', name: 'fixed' },
  ]);
});

requirement('RES-03', 'a client that has requested a list is notified when it changes', async (version) => {
  const { page, write } = pageStore();
  const resources = new LiveList([page]);
  const wire = await Wire.open(example({ resources }), version);
  const method = 'notifications/resources/list_changed';
  if (version === stateless) {
    await wire.result('resources/list');
    const id = wire.send('subscriptions/listen', { notifications: { resourcesListChanged: true } });
    await wire.nextFromServer();
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    write('three', 'Third');
    expect(await wire.nextFromServer()).toEqual({ jsonrpc: '2.0', method, params: { _meta } });
    resources.add(fixed);
    expect(await wire.nextFromServer()).toEqual({ jsonrpc: '2.0', method, params: { _meta } });
    return;
  }
  await wire.result('resources/list');
  write('three', 'Third');
  expect(await wire.nextFromServer()).toEqual({ jsonrpc: '2.0', method });
  resources.add(fixed);
  expect(await wire.nextFromServer()).toEqual({ jsonrpc: '2.0', method });
});

requirement(
  'RES-03',
  'a client that has requested the templates is notified when the list changes',
  async (version) => {
    const resources = new LiveList([pageStore().page]);
    const wire = await Wire.open(example({ resources }), version);
    await wire.result('resources/templates/list');
    if (version === stateless)
      wire.send('subscriptions/listen', { notifications: { resourcesListChanged: true } });
    if (version === stateless) await wire.nextFromServer();
    resources.add(defineResource({ uri: 'other:///{x}', name: 'other', read: () => '' }));
    expect(await wire.nextFromServer()).toMatchObject({ method: 'notifications/resources/list_changed' });
  },
);

requirement('RES-03', 'other clients are not notified when a list changes', async (version) => {
  const { page, write } = pageStore();
  const resources = new LiveList([page]);
  const wire = await Wire.open(example({ resources }), version);
  if (version === stateless) await wire.result('resources/list');
  write('three', 'Third');
  resources.add(fixed);
  await wire.error('nothing/here');
  expect(await wire.end()).toEqual([]);
});

requirement('RES-04', 'a subscribed client gets updates until it unsubscribes', async (version) => {
  const { page, write, watched } = pageStore();
  const wire = await Wire.open(example({ resources: [page] }), version);
  const updated = (uri: string) => ({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri },
  });
  expect(await wire.result('resources/subscribe', { uri: 'page:///one' })).toEqual({});
  write('two', 'Not watched');
  write('one', 'Watched');
  expect(await wire.nextFromServer()).toEqual(updated('page:///one'));
  expect(await wire.result('resources/subscribe', { uri: 'page:///two' })).toEqual({});
  write('two', 'Watched');
  expect(await wire.nextFromServer()).toEqual(updated('page:///two'));
  expect(await wire.result('resources/unsubscribe', { uri: 'page:///one' })).toEqual({});
  expect([watched('one'), watched('two')]).toEqual([0, 1]);
  write('one', 'Not watched');
  write('two', 'Watched');
  expect(await wire.nextFromServer()).toEqual(updated('page:///two'));
  expect(await wire.end()).toHaveLength(3);
  expect(watched('two')).toBe(0);
});

requirement('RES-04', 'a subscription to an unknown resource is refused', async (version) => {
  const wire = await Wire.open(example({ resources: [pageStore().page, fixed] }), version);
  for (const [uri, message] of [
    ['absent:///here', 'No resource to subscribe to: "absent:///here"'],
    ['note:///fixed', 'No resource to subscribe to: "note:///fixed"'],
    ['page:///missing', 'No such page: "missing"'],
  ]) {
    expect(await wire.error('resources/subscribe', { uri })).toEqual({
      code: -32002,
      message,
      data: { uri },
    });
  }
  expect(await wire.result('resources/unsubscribe', { uri: 'page:///missing' })).toEqual({});
});

requirement('RES-05', 'updates are sent only for the subscribed URIs', async (version) => {
  const { page, write } = pageStore();
  const wire = await Wire.open(example({ resources: [page] }), version);
  await wire.result('resources/read', { uri: 'page:///two' });
  const id = wire.send('subscriptions/listen', { notifications: { resourceSubscriptions: ['page:///one'] } });
  await wire.nextFromServer();
  write('two', 'Not watched');
  write('three', 'A new one');
  write('one', 'Watched');
  expect(await wire.nextFromServer()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, uri: 'page:///one' },
  });
});

requirement(
  ['RES-06', 'RES-07', 'RES-08'],
  'the error of an unknown resource has its URI',
  async (version) => {
    const wire = await Wire.open(example({ resources: [pageStore().page, fixed] }), version);
    const code = version === stateless ? -32602 : -32002;
    for (const uri of ['page:///missing', 'absent:///here', 'note:///fixed/more', 'PAGE:///one']) {
      expect(await wire.error('resources/read', { uri })).toEqual({
        code,
        message: `No such resource: "${uri}"`,
        data: { uri },
      });
    }
  },
);

requirement(['RES-06', 'RES-07'], 'an exception while reading is an internal error', async (version) => {
  const broken = defineResource({
    uri: 'note:///broken',
    name: 'broken',
    read: () => {
      throw new Error('The disk is on fire');
    },
  });
  const wire = await Wire.open(example({ resources: [broken] }), version);
  expect(await wire.error('resources/read', { uri: broken.uri })).toEqual({
    code: -32603,
    message: 'The disk is on fire',
  });
});

requirement('RES-13', 'bytes are encoded as base64', async (version) => {
  const bytes = new Uint8Array([0, 250, 251, 252, 253, 254, 255]);
  const image = defineResource({
    uri: 'image:///one',
    name: 'image',
    mimeType: 'image/png',
    read: () => bytes.subarray(1),
  });
  const both = defineResource({
    uri: 'both:///one',
    name: 'both',
    read: () => [
      textResourceContents('both:///t', 'Text'),
      blobResourceContents('both:///b', bytes, 'image/png'),
    ],
  });
  const wire = await Wire.open(example({ resources: [image, both] }), version);
  expect(await wire.result('resources/read', { uri: image.uri })).toEqual(
    stamped(version, { contents: [{ uri: image.uri, mimeType: 'image/png', blob: '+vv8/f7/' }] }, noCache),
  );
  expect((await wire.result('resources/read', { uri: both.uri }))['contents']).toEqual([
    { uri: 'both:///t', text: 'Text' },
    { uri: 'both:///b', mimeType: 'image/png', blob: 'APr7/P3+/w==' },
  ]);
});

requirement('RES-17', 'annotations have the members of the revision', async (version) => {
  const annotations = {
    audience: ['user', 'assistant'],
    priority: 0.5,
    lastModified: '2025-01-12T15:00:58Z',
  };
  const noted = defineResource({
    uri: 'note:///noted',
    name: 'noted',
    annotations: annotations as { audience: ('user' | 'assistant')[] },
    read: () => '',
  });
  const template = defineResource({ ...noted.definition, uri: 'note:///{x}', read: () => '' });
  const wire = await Wire.open(example({ resources: [noted, template] }), version);
  const { lastModified, ...first } = annotations;
  const expected = { ...first, ...(version >= '2025-06-18' && { lastModified }) };
  expect((await wire.result('resources/list'))['resources']).toEqual([
    { uri: noted.uri, name: 'noted', annotations: expected },
  ]);
  expect((await wire.result('resources/templates/list'))['resourceTemplates']).toEqual([
    { uriTemplate: template.uri, name: 'noted', annotations: expected },
  ]);
});

requirement('RES-18', 'reading a resource may request input', async (version) => {
  const form = z.object({ word: z.string() });
  const secret = defineResource({
    uri: 'note:///secret',
    name: 'secret',
    read: (_, { inputs }) =>
      inputs['word'] ? JSON.stringify(inputs['word']) : inputRequired({ word: elicit('The word?', form) }),
  });
  const wire = await Wire.open(example({ resources: [secret] }), version, {
    capabilities: { elicitation: {} },
  });
  expect(await wire.result('resources/read', { uri: secret.uri })).toEqual({
    resultType: 'input_required',
    inputRequests: {
      word: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'The word?',
          requestedSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
        },
      },
    },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'example', version: '1.0.0' } },
  });
  const word = { action: 'accept', content: { word: 'Sesame' } };
  expect(await wire.result('resources/read', { uri: secret.uri, inputResponses: { word } })).toMatchObject({
    resultType: 'complete',
    contents: [{ text: JSON.stringify(word) }],
  });
});

requirement('RES-19', 'resources and templates have names, and sizes are in bytes', async (version) => {
  const sized = defineResource({ uri: 'note:///sized', name: 'sized', size: 12, read: () => 'Zwölf Bytes' });
  const wire = await Wire.open(example({ resources: [sized, pageStore().page] }), version);
  expect((await wire.result('resources/list'))['resources']).toEqual([
    { uri: 'note:///sized', name: 'sized', size: 12 },
    { uri: 'page:///one', name: 'one' },
    { uri: 'page:///two', name: 'two' },
  ]);
  expect((await wire.result('resources/templates/list'))['resourceTemplates']).toEqual([
    { uriTemplate: 'page:///{name}', name: 'page', mimeType: 'text/plain' },
  ]);
});
