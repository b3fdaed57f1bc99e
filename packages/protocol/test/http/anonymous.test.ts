import { expect, onTestFinished, test } from 'vitest';
import { type Call, defineServer, defineTool, type Server } from '@mcp/protocol';
import { Client, serverAt } from '@mcp/protocol/client';
import { type Authorization, serveHttp } from '@mcp/protocol/http';
import { versions } from '../../src/revisions/table.ts';
import { stateless } from '../requirements/wire.ts';
import { HttpWire, messageOf } from './http-wire.ts';

interface User {
  readonly principal: string;
  readonly scopes?: readonly string[];
  readonly greeting: string;
}

const users: { readonly [token: string]: User } = {
  ada: { principal: 'ada', scopes: ['stock:write'], greeting: 'Ada' },
};

const authorization: Authorization<User> = {
  verify: (token) => (Object.hasOwn(users, token) ? users[token] : undefined),
  anonymous: { principal: 'anonymous', greeting: 'stranger' },
  metadata: { resource: 'https://mcp.example/mcp', authorizationServers: ['https://login.example'] },
};

const read = defineTool({
  name: 'read',
  description: 'Reads.',
  run: (_, { caller }: Call<object, User>) => `Hello, ${caller.greeting}`,
});
const write = defineTool({
  name: 'write',
  description: 'Writes.',
  requires: ['stock:write'],
  run: () => 'Written',
});
const server = defineServer<object, User>({ name: 'stock', version: '1.0.0', tools: [read, write] });

const textOf = ({ content }: { readonly content: readonly unknown[] }) =>
  (content[0] as { text?: string }).text;

test.each(versions)('at %s, a caller without a token gets what requires no scope', async (revision) => {
  const listener = await serveHttp(server, { port: 0, authorization });
  onTestFinished(() => listener.close());
  await using stranger = await Client.connect(serverAt(listener.url), { revision });
  expect((await stranger.listTools()).map(({ name }) => name)).toEqual(['read']);
  expect(textOf(await stranger.callTool('read'))).toBe('Hello, stranger');
  await expect(stranger.callTool('write')).rejects.toThrow('A valid token is needed');
  const headers = { authorization: 'Bearer ada' };
  await using ada = await Client.connect(serverAt(listener.url, { headers }), { revision });
  expect((await ada.listTools()).map(({ name }) => name)).toEqual(['read', 'write']);
  expect(textOf(await ada.callTool('read'))).toBe('Hello, Ada');
  expect(textOf(await ada.callTool('write'))).toBe('Written');
});

test('the answer to a call that needs a token names the scopes', async () => {
  await using wire = await HttpWire.open(server as Server, stateless, {
    authorization: authorization as Authorization,
  });
  const refused = await wire.call('write');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer scope="stock:write", resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"',
  ]);
  const read = await wire.call('read');
  expect(await messageOf(read)).toMatchObject({ result: { content: [{ text: 'Hello, stranger' }] } });
  // A token that is wrong does not make its sender anonymous.
  for (const [header, status] of [
    ['Bearer other', 401],
    ['Bearer', 400],
    ['Basic YTpi', 401],
  ] as const)
    expect([header, (await wire.call('read', {}, { authorization: header })).status]).toEqual([
      header,
      status,
    ]);
});

test('scopes that every request needs are needed by the anonymous caller too', async () => {
  const strict = { ...(authorization as Authorization), requiredScopes: ['stock:read'] };
  await using wire = await HttpWire.open(server as Server, stateless, { authorization: strict });
  const refused = await wire.call('read');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('scope="stock:read"'),
  ]);
});

test('a token does not admit its owner as the anonymous caller, whose state all clients share', async () => {
  const warnings: string[] = [];
  const verify = () => ({ principal: 'anonymous', scopes: ['stock:write'], greeting: 'somebody' });
  await using wire = await HttpWire.open(server as Server, stateless, {
    authorization: { ...authorization, verify },
    onWarning: (message) => warnings.push(message),
  });
  expect((await wire.call('read', {}, { authorization: 'Bearer t' })).status).toBe(401);
  expect(warnings).toEqual([
    'A token was refused: `verify` returned the principal of the `anonymous` caller, "anonymous"; give `anonymous` another one',
  ]);
});

test('the anonymous caller needs a principal', async () => {
  const wrong = { ...authorization, anonymous: { principal: '', greeting: 'nobody' } };
  await expect(serveHttp(server, { authorization: wrong })).rejects.toThrow(
    'The `anonymous` caller needs a `principal`, a text',
  );
});
