import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type Call,
  type Caller,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  type Server,
} from '@mcp/protocol';
import { Client, SseChannel } from '../src/client.ts';
import { type Authorization, httpHandler, serveHttp } from '../src/http.ts';
import type { JsonObject } from '../src/jsonrpc/message.ts';
import { connect } from '../src/testing.ts';
import { atEveryRevision } from './every-revision.ts';
import { HttpWire, messageOf } from './http/http-wire.ts';
import { stateless } from './requirements/wire.ts';

interface User extends Caller {
  readonly team: string;
}

const users: { readonly [token: string]: User } = {
  ann: { principal: 'ann', team: 'blue', scopes: ['notes:read', 'notes:write'] },
  ben: { principal: 'ben', team: 'red', scopes: ['notes:read'] },
  'ann-reads': { principal: 'ann', team: 'blue', scopes: ['notes:read'] },
};

const authorization: Authorization<User> = {
  verify: (token) => (Object.hasOwn(users, token) ? users[token] : undefined),
  metadata: { resource: 'https://mcp.example/mcp', authorizationServers: ['https://login.example'] },
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const whoami = defineTool({
  name: 'whoami',
  description: 'Says who calls.',
  run: (_, { caller, client: { revision, info, sessionId, headers } }: Call<object, User>) =>
    JSON.stringify({
      who: [caller.principal, caller.team, caller.scopes],
      revision,
      name: info?.['name'],
      session: sessionId !== undefined,
      headers,
    }),
});

const write = defineTool({
  name: 'write',
  description: 'Writes a note.',
  requires: ['notes:write'],
  run: () => 'Written',
});

const secret = defineResource({
  uri: 'note:///{id}',
  name: 'note',
  requires: ['notes:write'],
  read: ({ id }) => `The note ${id}`,
  watch: () => () => {},
  list: () => [{ uri: 'note:///1', name: 'one' }],
  complete: { id: () => ['1'] },
});

const open = defineResource({ uri: 'about:///', name: 'about', read: () => 'About' });
const draft = definePrompt({
  name: 'draft',
  description: 'Drafts.',
  requires: ['notes:write'],
  run: () => 'Draft',
});

const server = defineServer({
  name: 'notes',
  version: '1.0.0',
  tools: [whoami, write],
  resources: [secret, open],
  prompts: [draft],
});

const served = (version: string, token: string) =>
  HttpWire.open(
    server as Server,
    version,
    { authorization, passHeaders: ['X-Tenant', 'x-absent'] },
    {},
    bearer(token),
  );

const resultOf = async (response: Response) => (await messageOf(response))['result'] as JsonObject;

atEveryRevision((version) => {
  test('a handler gets the caller, the client and the headers that are passed on', async () => {
    await using wire = await served(version, 'ann');
    const more = { ...bearer('ann'), 'x-tenant': 'acme', 'x-other': 'hidden' };
    const { content } = await resultOf(await wire.call('whoami', {}, more));
    const [{ text }] = content as [{ text: string }];
    expect(JSON.parse(text)).toEqual({
      who: ['ann', 'blue', ['notes:read', 'notes:write']],
      revision: version,
      name: version === stateless ? undefined : 'raw',
      session: version !== stateless,
      headers: { 'x-tenant': 'acme' },
    });
  });

  test('what the caller may not use is not listed, and refused with 403 and the scopes', async () => {
    await using wire = await served(version, 'ben');
    const ask = (method: string, params: JsonObject = {}) => wire.ask(method, params, bearer('ben'));
    const names = async (method: string, member: string) => {
      const result = await resultOf(await ask(method));
      const { cacheScope, ttlMs } = result;
      return [(result[member] as { name: string }[]).map(({ name }) => name), cacheScope, ttlMs];
    };
    // Not cached: a token with more scopes shows more.
    const cache = version === stateless ? ['private', 0] : [undefined, undefined];
    expect(await names('tools/list', 'tools')).toEqual([['whoami'], ...cache]);
    expect(await names('resources/list', 'resources')).toEqual([['about'], ...cache]);
    expect(await names('resources/templates/list', 'resourceTemplates')).toEqual([[], ...cache]);
    expect(await names('prompts/list', 'prompts')).toEqual([[], ...cache]);

    const id = { name: 'id', value: '' };
    const refused: readonly (readonly [string, JsonObject])[] = [
      ['tools/call', { name: 'write', arguments: {} }],
      ['resources/read', { uri: 'note:///1' }],
      ['prompts/get', { name: 'draft' }],
      ['completion/complete', { ref: { type: 'ref/resource', uri: 'note:///{id}' }, argument: id }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'draft' }, argument: id }],
      version === stateless
        ? ['subscriptions/listen', { notifications: { resourceSubscriptions: ['about:///', 'note:///1'] } }]
        : ['resources/subscribe', { uri: 'note:///1' }],
    ];
    for (const [method, params] of refused) {
      const response = await ask(method, params);
      expect([method, response.status]).toEqual([method, 403]);
      expect(response.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="notes:write notes:read", ' +
          'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"',
      );
    }
    // A misspelt name does not reveal what is hidden.
    const unknown = await messageOf(await ask('tools/call', { name: 'writ', arguments: {} }));
    expect(unknown).toMatchObject({ error: { message: 'Unknown tool: "writ"' } });
  });

  test('what the caller may use is listed and runs', async () => {
    await using wire = await served(version, 'ann');
    const ask = (method: string, params: JsonObject = {}) => wire.ask(method, params, bearer('ann'));
    const list = await resultOf(await ask('tools/list'));
    expect((list['tools'] as unknown[]).length).toBe(2);
    expect(list['ttlMs']).toBe(version === stateless ? 300_000 : undefined);
    expect(await resultOf(await ask('tools/call', { name: 'write', arguments: {} }))).toMatchObject({
      content: [{ text: 'Written' }],
    });
    expect(await resultOf(await ask('resources/read', { uri: 'note:///1' }))).toMatchObject({
      contents: [{ text: 'The note 1' }],
    });
    expect(await resultOf(await ask('prompts/get', { name: 'draft' }))).toHaveProperty('messages');
  });

  if (version === stateless) return;

  test('a token with other scopes changes what the session sees, and the client is told', async () => {
    await using wire = await served(version, 'ann');
    const stream = await wire.get(bearer('ann'));
    await wire.ask('resources/subscribe', { uri: 'note:///1' }, bearer('ann'));
    const list = await resultOf(await wire.ask('tools/list', {}, bearer('ann-reads')));
    expect((list['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(['whoami']);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!/tools\/list_changed[^]*prompts\/list_changed[^]*resources\/list_changed/.test(text))
      text += (await reader.read()).value;
    await reader.cancel();
  });
});

test('a handler gets the session id of HTTP+SSE', async () => {
  const id = defineTool({
    name: 'id',
    description: 'Says the id of the session.',
    run: (_, { client: { sessionId } }) => String(sessionId),
  });
  const sse = { path: '/sse', postPath: '/messages' };
  const listener = await serveHttp(defineServer({ name: 'old', version: '1.0.0', tools: [id] }), { sse });
  const posted: string[] = [];
  const channel = new SseChannel(new URL(sse.path, listener.url).href, {
    fetch(request) {
      if (request.method === 'POST') posted.push(new URL(request.url).searchParams.get('sessionId')!);
      return fetch(request);
    },
  });
  const client = await Client.connect(channel);
  expect((await client.callTool('id')).content).toEqual([{ type: 'text', text: posted[0] }]);
  await client.close();
  await listener.close();
});

describe('without HTTP', () => {
  test('the caller is whom the author names, or nobody, who may use everything', async () => {
    await using named = await connect(server, { caller: users['ben']! });
    expect((await named.listTools()).map(({ name }) => name)).toEqual(['whoami']);
    await expect(named.callTool('write')).rejects.toThrow('The token lacks the scope "notes:write"');
    await using nobody = await connect(server as Server);
    expect((await nobody.listTools()).map(({ name }) => name)).toEqual(['whoami', 'write']);
    expect(await nobody.callTool('write')).toMatchObject({ content: [{ text: 'Written' }] });
  });
});

describe('an endpoint', () => {
  test('without authorization serves nothing that requires scopes, and warns', async () => {
    const warnings: string[] = [];
    const options = { onWarning: (message: string) => warnings.push(message) };
    await using wire = await HttpWire.open(server as Server, stateless, options);
    expect((await wire.call('write')).status).toBe(500);
    expect(warnings).toEqual([
      'A tool, prompt or resource has `requires`, but the endpoint has no `authorization`',
    ]);
  });

  test('refuses to pass the token to handlers', () => {
    expect(() => httpHandler(server as Server, { passHeaders: ['Authorization'] })).toThrow(
      'handlers get `call.caller`, not the token',
    );
  });

  test('of a server that expects users is typed by its verifier', () => {
    expectTypeOf(server).toEqualTypeOf<Server<User>>();
    const typed = () => [
      serveHttp(server, { authorization }),
      serveHttp(server, { authorization: { verify: (token) => users[token] } }),
      // @ts-expect-error The handlers expect a user, and nobody is verified.
      serveHttp(server),
      // @ts-expect-error This verifier knows no team.
      serveHttp(server, { authorization: { verify: () => ({ principal: 'ann' }) } }),
    ];
    expect(typed).toBeTypeOf('function');
  });
});
