import { expect, test } from 'vitest';
import { memoryTokenStore } from '@mcp/authorization';
import { authorized, messageOf, userLogin } from './login.ts';
import { startServers } from './servers.ts';

test('requests that are refused at the same time share one login', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  const responses = await Promise.all(Array.from({ length: 20 }, () => call(server.url)));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect([issuer.logins.length, issuer.tokenRequests().length, issuer.http.at('/register').length]).toEqual([
    1, 1, 1,
  ]);
});

test('requests that are refused at the same time share one refresh', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  await call(server.url);
  server.revokeAll();
  const responses = await Promise.all(Array.from({ length: 20 }, () => call(server.url)));
  expect(responses.every(({ ok }) => ok)).toBe(true);
  expect(issuer.tokenRequests('refresh_token')).toHaveLength(1);
  expect(issuer.logins).toHaveLength(1);
});

test('a token is refreshed before it expires, and requests do not see a refusal', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  await authorized({ store })(server.url);
  const [first = ''] = issuer.tokens.keys();
  const key = { kind: 'tokens', issuer: issuer.issuer, resource: server.url } as const;
  const tokens = (await store.get(key)) as { [name: string]: unknown };
  // 59 seconds before the end of an hour.
  await store.set(key, { ...tokens, issuedAt: Date.now() - 3_541_000, expiresAt: Date.now() + 59_000 });
  server.http.received.length = 0;
  const call = authorized({ store });
  await Promise.all([call(server.url), call(server.url)]);
  const [, second] = issuer.tokens.keys();
  expect(server.presented).toEqual([second, second]);
  expect(second).not.toBe(first);
  expect(issuer.tokenRequests('refresh_token')).toHaveLength(1);
  expect(issuer.tokenRequests('refresh_token')[0]).toMatchObject({ resource: server.url });
  expect(issuer.logins).toHaveLength(1);
});

test('a token that is about to expire is used as it is when it cannot be refreshed', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  await authorized({ store })(server.url);
  const key = { kind: 'tokens', issuer: issuer.issuer, resource: server.url } as const;
  const tokens = (await store.get(key)) as { [name: string]: unknown };
  await store.set(key, { ...tokens, issuedAt: Date.now() - 3_541_000, expiresAt: Date.now() + 59_000 });
  issuer.http.routes['/token'] = () => ({ status: 503 });
  const call = authorized({ store });
  expect((await call(server.url)).status).toBe(200);
  expect((await call(server.url)).status).toBe(200);
  // The second request does not repeat the renewal immediately.
  expect(issuer.tokenRequests('refresh_token')).toHaveLength(1);
});

test('a refresh token that is refused leads to a login', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  await call(server.url);
  server.revokeAll();
  issuer.forgetRefreshTokens();
  expect((await call(server.url)).status).toBe(200);
  expect(issuer.logins).toHaveLength(2);
});

test('an authorization server that is down leads to an error, not to a login', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  await call(server.url);
  server.revokeAll();
  issuer.http.routes['/token'] = () => ({ status: 503, body: 'Sorry' });
  expect(await messageOf(call(server.url))).toContain('/token" answers with HTTP 503 and no OAuth response');
  expect(issuer.logins).toHaveLength(1);
});

test('a refresh token stays in use when a refresh brings no other', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  await call(server.url);
  const { clientId = '', resource = '', scopes = [] } = [...issuer.tokens.values()][0] ?? {};
  issuer.http.routes['/token'] = () => issuer.issue({ clientId, resource, scopes }, false);
  for (let round = 0; round < 2; round++) {
    server.revokeAll();
    expect((await call(server.url)).status).toBe(200);
  }
  const used = issuer.tokenRequests('refresh_token').map((form) => form['refresh_token']);
  expect(used).toHaveLength(2);
  expect(used[0]).toBe(used[1]);
});

test('tokens of a store are used by the next run, for the same server and client alone', async () => {
  await using servers = await startServers();
  await using other = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  await authorized({ store })(`${server.url}?key=1`);
  await authorized({ store })(server.url);
  expect(issuer.logins).toHaveLength(1);
  await authorized({ store })(other.server.url);
  expect(other.server.presented[0]).toBeUndefined();
  issuer.addClient('known');
  await authorized({ store, grant: userLogin({ client: { id: 'known' } }) })(server.url);
  expect(issuer.logins).toHaveLength(2);
});

test('what a store returns is checked', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  await authorized({ store })(server.url);
  const key = { kind: 'tokens', issuer: issuer.issuer, resource: server.url } as const;
  const tokens = (await store.get(key)) as { [name: string]: unknown };
  const wrong = [
    { accessToken: 'a\nb' },
    { type: 'mac' },
    { issuer: 'https://a' },
    { type: 'DPoP' },
    { accessToken: 7 },
  ];
  for (const change of wrong) {
    await store.set(key, { ...tokens, ...change });
    expect((await authorized({ store })(server.url)).status).toBe(200);
  }
  expect(issuer.logins).toHaveLength(1 + wrong.length);
});

test('a store that cannot be written fails no call and is reported', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const warnings: string[] = [];
  const memory = memoryTokenStore();
  const set: typeof memory.set = (key) => {
    throw new Error(`disk full: ${key.kind}`);
  };
  const store = { ...memory, set };
  const call = authorized({ store, onWarning: (message) => warnings.push(message) });
  expect((await call(server.url)).status).toBe(200);
  expect(warnings).toEqual([
    `Cannot store the client registration with "${issuer.issuer}": disk full: registration`,
    `Cannot store the tokens for "${server.url}": disk full: tokens`,
  ]);
});

test.each<[what: string, fail: () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('Careless');
    },
  ],
  ['is rejected', () => Promise.reject(new Error('Careless'))],
])('a callback "onWarning" that %s fails no call', async (_what, fail) => {
  await using servers = await startServers();
  const set = () => {
    throw new Error('disk full');
  };
  const call = authorized({ store: { ...memoryTokenStore(), set }, onWarning: () => fail() });
  expect((await call(servers.server.url)).status).toBe(200);
  await new Promise(setImmediate);
});

test('a store that cannot be read fails the call, and is read again by the next', async () => {
  await using servers = await startServers();
  const { server } = servers;
  const store = memoryTokenStore();
  let broken = true;
  const get: typeof store.get = (key) => {
    if (broken) throw new Error('locked');
    return store.get(key);
  };
  const call = authorized({ store: { ...store, get } });
  expect(await messageOf(call(server.url))).toBe(`locked`);
  broken = false;
  expect((await call(server.url)).status).toBe(200);
});

test('a token that is refused as soon as it is issued leads to an error, not to another login', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  server.http.routes['/mcp'] = () => server.refuse(401, {});
  const call = authorized();
  const message = `The MCP server refuses a token that was just issued for it`;
  expect(await messageOf(call(server.url))).toBe(message);
  expect(await messageOf(call(server.url))).toBe(message);
  expect(issuer.logins).toHaveLength(1);
});

test('the end of a session does not begin a login, and a stream begins none after one has failed', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  const without = { body: null };
  expect((await call(server.url, { method: 'DELETE', ...without })).status).toBe(401);
  expect(issuer.logins).toEqual([]);
  issuer.responseParameters = { error: 'access_denied', code: undefined };
  expect(await messageOf(call(server.url, { method: 'GET', ...without }))).toContain('access_denied');
  expect((await call(server.url, { method: 'GET', ...without })).status).toBe(401);
  expect(issuer.logins).toHaveLength(1);
  issuer.responseParameters = {};
  expect((await call(server.url)).status).toBe(200);
});

test('an aborted request ends immediately, and the login that it waited for continues', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const { promise: opened, resolve: open } = Promise.withResolvers<URL>();
  const { promise: agreed, resolve: agree } = Promise.withResolvers<void>();
  const redirect = async (url: URL) => {
    open(url);
    await agreed;
    return (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
  };
  const call = authorized({ grant: userLogin({ redirectUri: 'http://127.0.0.1:1/callback', redirect }) });
  const abort = new AbortController();
  const first = call(server.url, { signal: abort.signal });
  await opened;
  const second = call(server.url);
  abort.abort(new Error('Enough'));
  expect(await messageOf(first)).toBe('Enough');
  agree();
  expect((await second).status).toBe(200);
  expect(issuer.logins).toHaveLength(1);
});
