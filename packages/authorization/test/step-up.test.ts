import { expect, test } from 'vitest';
import { authorized, messageOf } from './login.ts';
import { startServers } from './servers.ts';

const body = (method: string) => ({ body: JSON.stringify({ method }) });

test('a request that needs more scopes leads to a login for all scopes so far', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  server.metadata['scopes_supported'] = ['decoy'];
  server.challenge = { scope: 'read' };
  server.scopesFor = (request) => (request.body.includes('write') ? ['write'] : ['read']);
  const call = authorized();
  await call(server.url, body('read'));
  expect((await call(server.url, body('write'))).status).toBe(200);
  expect((await call(server.url, body('read'))).status).toBe(200);
  expect(issuer.logins.map(({ scope }) => scope)).toEqual(['read', 'read write']);
  expect(issuer.tokenRequests('refresh_token')).toEqual([]);
});

test('scopes demanded one by one lead to three logins at most', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  let count = 0;
  server.http.routes['/mcp'] = ({ headers }) =>
    headers.authorization === undefined
      ? server.refuse(401, {})
      : server.refuse(403, { error: 'insufficient_scope', scope: `s${count++}` });
  expect((await authorized()(server.url)).status).toBe(403);
  expect(issuer.logins.map(({ scope }) => scope)).toEqual([undefined, 's0', 's0 s1']);
});

test('a scope that the token has and the server demands is an error without a login', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  server.challenge = { scope: 'admin' };
  server.http.routes['/mcp'] = ({ headers }) =>
    headers.authorization === undefined
      ? server.refuse(401, {})
      : server.refuse(403, { error: 'insufficient_scope' });
  const call = authorized();
  for (let round = 0; round < 3; round++)
    expect(await messageOf(call(server.url))).toContain(
      'The server demands the scope "admin", although the token has it',
    );
  expect(issuer.logins).toHaveLength(1);
});

test('a scope that a login does not bring is not logged in for again', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.withheld.add('admin');
  server.challenge = { scope: 'read' };
  server.scopesFor = (request) => (request.body.includes('admin') ? ['admin'] : ['read']);
  const call = authorized();
  await call(server.url, body('read'));
  for (let round = 0; round < 3; round++) {
    expect(await messageOf(call(server.url, body('admin')))).toContain(
      'The server demands the scope "admin", which the last login did not grant',
    );
  }
  expect(issuer.logins.map(({ scope }) => scope)).toEqual(['read', 'read admin']);
  expect((await call(server.url, body('read'))).status).toBe(200);
});

test('requests that need the same scope at the same time share one login', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  server.scopesFor = (request) => (request.body.includes('write') ? ['write'] : []);
  const call = authorized();
  await call(server.url, body('read'));
  const responses = await Promise.all(Array.from({ length: 10 }, () => call(server.url, body('write'))));
  expect(responses.every(({ ok }) => ok)).toBe(true);
  expect(issuer.logins).toHaveLength(2);
});

test.each([
  ['without a challenge', {}],
  ['with another error', { error: 'access_denied', scope: 'x' }],
  ['without scopes', { error: 'insufficient_scope' }],
])('a 403 %s is the answer', async (_, parameters) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  await call(server.url);
  server.http.routes['/mcp'] = () => server.refuse(403, parameters);
  expect((await call(server.url)).status).toBe(403);
  expect(issuer.logins).toHaveLength(1);
});
