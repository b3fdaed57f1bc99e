import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { atEveryRevision } from '../every-revision.ts';
import { askable, richServer } from '../fixtures/rich-server.ts';
import { stateless, Wire } from './wire.ts';
import { mistakesIn } from './wire-shapes.ts';

const everything = {
  capabilities: {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {}, context: {} },
    roots: { listChanged: true },
  },
  logLevel: 'debug',
};

const answers: { [method: string]: JsonObject } = {
  'elicitation/create': { action: 'decline' },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' },
  'roots/list': { roots: [] },
};

/** Everything that a server with everything sends, each message with the method of the request it answers. */
async function everythingSent(version: string): Promise<{ message: JsonObject; method?: string }[]> {
  const { server, change } = richServer();
  const { capabilities, logLevel } = everything;
  const wire = await Wire.open(server, version, version === stateless ? everything : { capabilities });
  const methods = new Map<unknown, string>([['handshake', 'initialize']]);
  const send = (method: string, params?: JsonObject, meta?: JsonObject) => {
    const id = wire.send(method, params, meta);
    methods.set(id, method);
    return id;
  };
  const ask = async (...request: Parameters<typeof send>) =>
    (await wire.response(send(...request)))['result'];

  if (version === stateless) {
    await ask('server/discover');
  } else {
    await ask('ping');
    await ask('logging/setLevel', { level: logLevel });
  }
  const names: unknown[] = [];
  for (const [method, key] of [
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ] as const) {
    let cursor: unknown;
    do {
      const page = (await ask(method, cursor === undefined ? {} : { cursor })) as JsonObject;
      if (key === 'tools') names.push(...(page[key] as JsonObject[]).map(({ name }) => name));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
  }
  for (const name of names.filter((one) => one !== 'ask' && one !== 'lost')) {
    await ask('tools/call', { name }, { progressToken: 'token' });
  }
  for (const fitting of [true, false, 'neither'])
    await ask('tools/call', { name: 'lost', arguments: { fitting } });
  await ask('tools/call', { name: 'missing' });
  await ask('prompts/get', { name: 'describe', arguments: { what: 'x' } });
  for (const uri of ['page:///one', 'pages:///a', 'page:///missing', 'no uri'])
    await ask('resources/read', { uri });
  for (const ref of [
    { type: 'ref/prompt', name: 'describe' },
    { type: 'ref/resource', uri: 'pages:///{name}' },
  ]) {
    await ask('completion/complete', { ref, argument: { name: 'name' in ref ? 'what' : 'name', value: '' } });
  }

  for (const what of askable) {
    const id = send('tools/call', { name: 'ask', arguments: { what } });
    if (version === stateless) {
      await wire.response(id);
      continue;
    }
    // A question may be refused before it is asked, so whichever comes is the next message.
    const next = await wire.raw.next();
    if (!('method' in next)) continue;
    wire.raw.send({ jsonrpc: '2.0', id: next['id'], result: answers[String(next['method'])] });
    await wire.response(id);
  }

  if (version === stateless) {
    send('subscriptions/listen', {
      notifications: {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['page:///one'],
      },
    });
    await wire.nextFromServer();
  } else {
    await ask('resources/subscribe', { uri: 'page:///one' });
  }
  change();
  for (let count = 0; count < 4; count++) await wire.nextFromServer();
  if (version !== stateless) await ask('resources/unsubscribe', { uri: 'page:///one' });
  wire.raw.send('not json');
  await wire.raw.next();
  await wire.end();
  return wire.raw.received.map((message) => {
    const method = methods.get(message['id']);
    return { message, ...(method !== undefined && !('method' in message) && { method }) };
  });
}

const always = [
  'error',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
];

const standingAlone = [
  'server/discover',
  'subscriptions/listen',
  'notifications/subscriptions/acknowledged',
  'notifications/cancelled',
];

const inConversation = (version: string) => [
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'roots/list',
  'sampling/createMessage',
  ...(version >= '2025-06-18' ? ['elicitation/create'] : []),
];

atEveryRevision((version) => {
  test('a server with everything sends only what the revision has', async () => {
    const sent = await everythingSent(version);
    expect(sent.flatMap(({ message, method }) => mistakesIn(message, version, method))).toEqual([]);
    expect(new Set(sent.map(({ message, method }) => method ?? message['method'] ?? 'error'))).toEqual(
      new Set(
        version === stateless ? [...always, ...standingAlone] : [...always, ...inConversation(version)],
      ),
    );
  });

  test('what belongs to another revision would be found', async () => {
    const sent = await everythingSent(version);
    const others = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', stateless];
    for (const other of others.filter((one) => one < version)) {
      const mistakes = sent.flatMap(({ message, method }) => mistakesIn(message, other, method));
      expect(mistakes.length, `${version} taken for ${other}`).toBeGreaterThan(0);
    }
  });
});

test.each([
  [
    '2024-11-05',
    'tools/list',
    { tools: [{ name: 'x', inputSchema: { type: 'object' }, title: 'X' }] },
    'tools/list.tools[0].title does not belong there',
  ],
  [
    '2024-11-05',
    'tools/list',
    { tools: [{ name: 'x', inputSchema: { type: 'object' }, annotations: {} }] },
    'tools/list.tools[0].annotations does not belong there',
  ],
  [
    '2025-03-26',
    'tools/list',
    { tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema: {} }] },
    'tools/list.tools[0].outputSchema does not belong there',
  ],
  [
    '2025-06-18',
    'tools/list',
    { tools: [{ name: 'x', inputSchema: { type: 'object' }, icons: [] }] },
    'tools/list.tools[0].icons does not belong there',
  ],
  ['2025-11-25', 'tools/list', { tools: [], ttlMs: 0 }, 'tools/list.ttlMs does not belong there'],
  [
    '2025-11-25',
    'tools/list',
    { tools: [], resultType: 'complete' },
    'tools/list.resultType does not belong there',
  ],
  [
    '2026-07-28',
    'tools/list',
    { tools: [], ttlMs: -1, cacheScope: 'public', resultType: 'complete' },
    'tools/list.ttlMs is not an integer from 0: -1',
  ],
  [
    '2026-07-28',
    'tools/list',
    { tools: [], ttlMs: 0, cacheScope: 'public' },
    'tools/list.resultType is missing',
  ],
  [
    '2026-07-28',
    'tools/list',
    {
      tools: [{ name: 'x', inputSchema: { type: 'object' }, execution: {} }],
      ttlMs: 0,
      cacheScope: 'public',
      resultType: 'complete',
    },
    'tools/list.tools[0].execution does not belong there',
  ],
  [
    '2026-07-28',
    'server/discover',
    { supportedVersions: [], capabilities: {}, resultType: 'complete', cacheScope: 'public' },
    'server/discover.ttlMs is missing',
  ],
  [
    '2024-11-05',
    'tools/call',
    { content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] },
    'tools/call.content[0] is of type audio',
  ],
  [
    '2025-03-26',
    'tools/call',
    { content: [{ type: 'resource_link', uri: 'x:y', name: 'y' }] },
    'tools/call.content[0] is of type resource_link',
  ],
  [
    '2025-11-25',
    'tools/call',
    { content: [], structuredContent: [1] },
    'tools/call.structuredContent is not an object: [1]',
  ],
  [
    '2025-03-26',
    'resources/list',
    { resources: [{ uri: 'x:y', name: 'y', annotations: { lastModified: '2025-01-01' } }] },
    'resources/list.resources[0].annotations.lastModified does not belong there',
  ],
  [
    '2024-11-05',
    'initialize',
    {
      protocolVersion: '2024-11-05',
      capabilities: { completions: {} },
      serverInfo: { name: 'x', version: '1' },
    },
    'initialize.capabilities.completions does not belong there',
  ],
])('at %s a leak in %s is found', (version, method, result, mistake) => {
  expect(mistakesIn({ jsonrpc: '2.0', id: 1, result }, version, method)).toEqual([mistake]);
});

test.each([
  [
    '2026-07-28',
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    'notifications/subscriptions/acknowledged._meta is missing',
  ],
  [
    '2026-07-28',
    { method: 'notifications/tools/list_changed' },
    'notifications/tools/list_changed is not an object',
  ],
  [
    '2024-11-05',
    { method: 'notifications/progress', params: { progressToken: 1, progress: 1, message: 'x' } },
    'notifications/progress.message does not belong there',
  ],
  ['2026-07-28', { id: 1, method: 'roots/list' }, 'roots/list is a request'],
  ['2025-11-25', { id: null, error: { code: -32700, message: 'x' } }, 'error.id is not an id: null'],
])('at %s a mistake outside results is found', (version, message, mistake) => {
  expect(mistakesIn({ jsonrpc: '2.0', ...message }, version)).toEqual([mistake]);
});
