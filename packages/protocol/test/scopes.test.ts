import { expect, test } from 'vitest';
import {
  type Caller,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  type Server,
} from '@mcp/protocol';
import * as z from 'zod';
import type { Authorization } from '../src/http.ts';
import type { JsonObject } from '../src/jsonrpc/message.ts';
import { EventReader } from './http/events.ts';
import { HttpWire, messageOf, refusal } from './http/http-wire.ts';
import { initialize, stateless } from './requirements/wire.ts';

/** Three tokens of one principal. */
const tokens: { readonly [token: string]: Caller } = {
  strong: { principal: 'ada', scopes: ['notes:read', 'notes:write'] },
  weak: { principal: 'ada', scopes: ['notes:read'] },
  other: { principal: 'ada', scopes: ['notes:write'] },
};

const authorization: Authorization = {
  verify: (token: string) => (Object.hasOwn(tokens, token) ? tokens[token] : undefined),
  metadata: { resource: 'https://mcp.example/mcp', authorizationServers: ['https://login.example'] },
};

const as = (token: string) => ({ authorization: `Bearer ${token}` });

const write = defineTool({
  name: 'write',
  description: 'Writes.',
  requires: ['notes:write'],
  run: () => 'Written',
});
const note = defineResource({
  uri: 'note:///{id}',
  name: 'note',
  requires: ['notes:write'],
  read: ({ id }) => `The note ${id}`,
  complete: { id: () => ['secret'] },
  watch: () => () => {},
});
const draft = definePrompt({
  name: 'draft',
  description: 'Drafts.',
  requires: ['notes:write'],
  inputSchema: z.object({ id: z.string() }),
  complete: { id: () => ['secret'] },
  run: () => 'Draft',
});
const server = defineServer({
  name: 'notes',
  version: '1.0.0',
  tools: [write],
  resources: [note],
  prompts: [draft],
}) as Server;

const open = (version: string, served = server) =>
  HttpWire.open(served, version, { authorization }, {}, as('strong'));

const challenge = expect.stringContaining('error="insufficient_scope", scope="notes:write notes:read"');

test.each([
  ['a prompt', { type: 'ref/prompt', name: 'draft' }],
  ['a template', { type: 'ref/resource', uri: 'note:///{id}' }],
  ['a resource', { type: 'ref/resource', uri: 'note:///1' }],
])('completion for %s needs its scopes', async (_, ref) => {
  await using wire = await open(stateless);
  const params = { ref, argument: { name: 'id', value: '' } };
  const refused = await wire.ask('completion/complete', params, as('weak'));
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, challenge]);
  const completed = await messageOf(await wire.ask('completion/complete', params, as('strong')));
  expect(completed).toMatchObject({ result: { completion: { values: ['secret'] } } });
});

test('a batch is refused by an endpoint without authorization', async () => {
  await using wire = await HttpWire.open(server, '2025-03-26');
  const batch = [wire.request('ping'), wire.request('tools/call', { name: 'write', arguments: {} })];
  expect(await refusal(await wire.post(batch, wire.headers))).toEqual([
    500,
    { code: -32603, message: 'This endpoint cannot check the scopes that the server requires' },
  ]);
});

const sse = { path: '/sse', postPath: '/messages' };

/** Opens a conversation over HTTP+SSE, and returns a function that calls a tool in it. */
async function overSse(url: string, token?: string) {
  const headers: { [name: string]: string } = token === undefined ? {} : as(token);
  const stream = await fetch(new URL(sse.path, url), { headers });
  const events = new EventReader(stream);
  const target = new URL((await events.next())!.data!, url);
  const post = (message: unknown, more = headers) =>
    fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(message),
    });
  await post(initialize(0, '2024-11-05'));
  await events.message();
  const call = (more = headers) =>
    post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write', arguments: {} } }, more);
  return { call, events };
}

test('a subscription that cannot be ended when a scope is missing is a warning', async () => {
  const warnings: string[] = [];
  const { promise: warned, resolve: warn } = Promise.withResolvers<void>();
  const broken = defineResource({
    uri: 'note:///broken',
    name: 'broken',
    requires: ['notes:write'],
    read: () => '',
    watch: () => () => {
      throw new Error('The watch is broken');
    },
  });
  const onWarning = (message: string) => {
    warnings.push(message);
    warn();
  };
  const served = defineServer({ name: 'notes', version: '1.0.0', tools: [write], resources: [broken] });
  const options = { authorization, onWarning };
  await using wire = await HttpWire.open(served as Server, '2025-11-25', options, {}, as('strong'));
  await wire.ask('resources/subscribe', { uri: 'note:///broken' }, as('strong'));
  expect((await wire.ask('tools/list', {}, as('weak'))).status).toBe(200);
  await warned;
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The subscription to "note:\/\/\/broken" could not be ended: .*The watch is broken/,
    ),
  ]);
});

test('a request over HTTP+SSE needs the scopes too', async () => {
  await using wire = await HttpWire.open(server, stateless, { authorization, sse });
  const { call, events } = await overSse(wire.url, 'strong');
  const refused = await call(as('weak'));
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, challenge]);
  expect((await call()).status).toBe(202);
  expect(await events.message()).toMatchObject({ id: 1, result: { content: [{ text: 'Written' }] } });
  await events.close();
});

test('a request over HTTP+SSE is refused by an endpoint without authorization', async () => {
  await using wire = await HttpWire.open(server, stateless, { sse });
  const { call, events } = await overSse(wire.url);
  expect((await call()).status).toBe(500);
  await events.close();
});

test('a round of a request may have no fewer scopes than the round before', async () => {
  const reveal = defineTool({
    name: 'reveal',
    description: 'Says what its first caller may read.',
    async run(_, { once, ask, caller }) {
      const secret = await once('secret', () => `For ${caller?.scopes?.join(' ')}`);
      await ask('sure', elicit('Sure?', z.object({ yes: z.boolean() })));
      return secret;
    },
  });
  const speaker = { capabilities: { elicitation: { form: {} } } };
  const asking = defineServer({ name: 'asking', version: '1.0.0', tools: [reveal] }) as Server;
  await using wire = await HttpWire.open(asking, stateless, { authorization }, speaker);
  const params = { name: 'reveal', arguments: {} };
  const answer = { inputResponses: { sure: { action: 'accept', content: { yes: true } } } };
  const begin = async (token: string) => {
    const { result } = await messageOf(await wire.ask('tools/call', params, as(token)));
    return { ...params, ...answer, requestState: (result as JsonObject)['requestState'] };
  };
  const end = async (token: string, next: JsonObject) =>
    messageOf(await wire.ask('tools/call', next, as(token)));
  const begun = await begin('strong');
  for (const [token, scope] of [
    ['weak', 'notes:write'],
    ['other', 'notes:read'],
  ] as const)
    expect(await end(token, begun)).toMatchObject({
      error: {
        code: -32602,
        message: `"requestState" is refused: it was made for a token with the scope "${scope}"; send the request again without it`,
      },
    });
  const text = 'For notes:read notes:write';
  expect(await end('strong', begun)).toMatchObject({ result: { content: [{ text }] } });
  // A client may get more scopes between two rounds.
  expect(await end('strong', await begin('weak'))).toMatchObject({
    result: { content: [{ text: 'For notes:read' }] },
  });
});

test('a stream is resumed only with the scopes of its request', async () => {
  const { promise: outcome, resolve: finish } = Promise.withResolvers<string>();
  const slow = defineTool({
    name: 'slow',
    description: 'Takes long.',
    requires: ['notes:write'],
    run: (_, { progress }) => (progress(1), outcome),
  });
  await using wire = await open(
    '2025-11-25',
    defineServer({ name: 'slow', version: '1.0.0', tools: [slow] }) as Server,
  );
  const stream = new EventReader(await wire.call('slow', {}, as('strong')));
  const { id } = (await stream.next())!;
  await stream.close();
  finish('A secret');
  const resume = (token: string) => wire.get({ ...as(token), 'last-event-id': id! });
  const refused = await resume('weak');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, challenge]);
  const resumed = new EventReader(await resume('strong'));
  expect(await resumed.message()).toMatchObject({ result: { content: [{ text: 'A secret' }] } });
});

test.each([
  [
    'a request of its session is refused for a scope',
    (wire: HttpWire) => wire.ask('resources/read', { uri: 'note:///1' }, as('weak')),
    403,
  ],
  ['the stream of its session is opened without the scope', (wire: HttpWire) => wire.get(as('weak')), 200],
])('a subscription ends when %s', async (_, request, status) => {
  let stopped = false;
  const watched = defineResource({
    uri: 'note:///1',
    name: 'note',
    requires: ['notes:write'],
    read: () => 'The note',
    watch: () => () => void (stopped = true),
  });
  await using wire = await open(
    '2025-11-25',
    defineServer({ name: 'notes', version: '1.0.0', resources: [watched] }) as Server,
  );
  await wire.ask('resources/subscribe', { uri: 'note:///1' }, as('strong'));
  expect(stopped).toBe(false);
  expect((await request(wire)).status).toBe(status);
  expect(stopped).toBe(true);
});
