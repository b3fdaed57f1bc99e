import { expect, test } from 'vitest';
import { memoryTokenStore, withOAuth } from '@mcp/authorization';
import { authorized, messageOf, userLogin } from './login.ts';
import { type Servers, startServers } from './servers.ts';

/** Leaves the address of the metadata out of the challenges of a server. */
function withoutMetadataUrl({ http }: Servers['server']): void {
  const { '/mcp': answer } = http.routes;
  http.routes['/mcp'] = async (request) => {
    const reply = await answer!(request);
    return { ...reply, headers: { 'www-authenticate': 'Bearer' } };
  };
}

test('two connections that share a store spend a refresh token once at the same time', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const layer = withOAuth({ grant: userLogin() });
  const [here, there] = [layer(globalThis.fetch), layer(globalThis.fetch)];
  const request = () => new Request(server.url, { method: 'POST', body: '{}' });
  await here(request());
  await there(request());
  server.revokeAll();
  const responses = await Promise.all([here(request()), there(request())]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(issuer.tokenRequests('refresh_token')).toHaveLength(1);
  expect(issuer.logins).toHaveLength(1);
});

test.each([
  ['another process', 0],
  ['a process with a slower clock', 3_600_000],
])('a refresh token that %s has used is not used twice', async (_, behindMs) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  const [here, there] = [authorized({ store }), authorized({ store })];
  await here(server.url);
  await there(server.url);
  server.revokeAll();
  await here(server.url);
  // Its refresh token is used up; the store has the new one.
  const key = { kind: 'tokens', issuer: issuer.issuer, resource: server.url } as const;
  const tokens = (await store.get(key)) as { [name: string]: unknown };
  await store.set(key, { ...tokens, issuedAt: Date.now() - behindMs });
  expect((await there(server.url)).status).toBe(200);
  expect(issuer.tokenRequests('refresh_token')).toHaveLength(1);
  expect(issuer.logins).toHaveLength(1);
});

test('an authorization server that is unavailable for a while ends no login', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  await call(server.url);
  server.revokeAll();
  const token = issuer.http.routes['/token']!;
  issuer.http.routes['/token'] = () => ({ status: 503, json: { error: 'temporarily_unavailable' } });
  expect(await messageOf(call(server.url))).toContain('temporarily_unavailable');
  issuer.http.routes['/token'] = token;
  expect((await call(server.url)).status).toBe(200);
  expect(issuer.logins).toHaveLength(1);
});

test('metadata that is unavailable for a while ends no login, and is not taken for an older server', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const path = '/.well-known/oauth-protected-resource/mcp';
  withoutMetadataUrl(server);
  const call = authorized();
  await call(server.url);
  server.revokeAll();
  const metadata = server.http.routes[path]!;
  server.http.routes[path] = () => ({ status: 503 });
  expect(await messageOf(call(server.url))).toContain('503');
  server.http.routes[path] = metadata;
  expect((await call(server.url)).status).toBe(200);
  expect(issuer.logins).toHaveLength(1);
  expect(server.http.paths).not.toContain('/authorize');
});

test('a token for one query of a URL is not sent to another query', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const path = '/.well-known/oauth-protected-resource/mcp';
  server.http.routes[path] = ({ url }) => ({
    json: { ...server.metadata, resource: `${server.url}${url.search}` },
  });
  withoutMetadataUrl(server);
  const store = memoryTokenStore();
  await authorized({ store })(`${server.url}?tenant=a`);
  server.http.received.length = 0;
  expect((await authorized({ store })(`${server.url}?tenant=b`)).status).toBe(200);
  expect(server.presented[0]).toBeUndefined();
  expect(issuer.tokens.size).toBe(2);
  expect([...issuer.tokens.values()].map(({ resource }) => new URL(resource).search)).toEqual([
    '?tenant=a',
    '?tenant=b',
  ]);
});
