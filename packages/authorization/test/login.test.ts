import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { formOf } from '@mcp/test-kit/http-server';
import { authorized, messageOf, userLogin } from './login.ts';
import { startServers } from './servers.ts';

test('after one login every request has the token in its header, and no URL has it', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  expect((await call(server.url)).status).toBe(200);
  expect((await call(server.url, { method: 'GET', body: null })).status).toBe(200);
  expect((await call(server.url, { method: 'DELETE', body: null })).status).toBe(200);
  const [token = ''] = issuer.tokens.keys();
  expect(server.presented).toEqual([undefined, token, token, token]);
  const urls = [...server.http.received, ...issuer.http.received].map(({ url }) => url.href);
  expect(urls.filter((url) => url.includes(token))).toEqual([]);
});

test('a request to another origin has no token', async () => {
  await using servers = await startServers();
  await using other = await startServers();
  const call = authorized();
  await call(servers.server.url);
  expect((await call(other.server.url)).status).toBe(401);
  expect(other.server.presented).toEqual([undefined]);
  expect(other.issuer.http.received).toEqual([]);
});

test('a request is repeated with its method, headers and body after the login', async () => {
  await using servers = await startServers();
  const { server } = servers;
  await authorized()(server.url, { headers: { 'mcp-name': 'a' }, body: '{"id":7}' });
  const [first, second] = server.http.at('/mcp');
  expect(second).toMatchObject({ method: 'POST', body: '{"id":7}' });
  expect({ ...second?.headers, authorization: '' }).toEqual({ ...first?.headers, authorization: '' });
});

test('authorization and token requests name the same resource, the one of the metadata', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  server.metadata['resource'] = server.http.origin;
  await authorized()(server.url);
  expect(issuer.logins[0]?.['resource']).toBe(server.http.origin);
  expect(issuer.tokenRequests()[0]?.['resource']).toBe(server.http.origin);
});

test('the login proves its key with S256', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  await authorized()(server.url);
  const [login] = issuer.logins;
  const verifier = issuer.tokenRequests()[0]?.['code_verifier'] ?? '';
  expect(verifier).toMatch(/^[\w-]{43}$/);
  expect(login).toMatchObject({
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
});

test.each([undefined, [], ['plain']])(
  'an authorization server with the challenge methods %j gets no login',
  async (methods) => {
    await using servers = await startServers();
    const { issuer, server } = servers;
    issuer.metadata['code_challenge_methods_supported'] = methods;
    expect(await messageOf(authorized()(server.url))).toBe(
      `The authorization server "${issuer.issuer}" does not support PKCE with S256`,
    );
    expect(issuer.logins).toEqual([]);
  },
);

test.each([
  ['names its issuer', {}, true, true],
  ['names no issuer, as its server announces', { iss: undefined }, false, true],
  ['names its issuer, which its server does not announce', {}, false, true],
  ['names no issuer although its server announces one', { iss: undefined }, true, false],
  ['names another issuer', { iss: 'https://evil.example' }, true, false],
  ['names another issuer unannounced', { iss: 'https://evil.example' }, false, false],
] as const)('a response that %s', async (_, parameters, announced, accepted) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['authorization_response_iss_parameter_supported'] = announced;
  issuer.responseParameters = parameters;
  expect((await messageOf(authorized()(server.url))) === 'resolved').toBe(accepted);
  expect(issuer.logins).toHaveLength(1);
  expect(issuer.tokenRequests()).toHaveLength(accepted ? 1 : 0);
});

test('issuers that differ by a slash, a case or a port are different', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  for (const iss of [`${issuer.issuer}/`, issuer.issuer.toUpperCase(), issuer.issuer.replace('//', '//%')]) {
    issuer.responseParameters = { iss };
    expect(await messageOf(authorized()(server.url))).toContain('its "iss" names another issuer');
  }
  expect(issuer.tokenRequests()).toEqual([]);
});

test('what a response of another issuer says is not shown', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.responseParameters = { iss: 'https://evil.example', error: 'e', error_description: 'Call 555-1234' };
  const message = await messageOf(authorized()(server.url));
  expect(message).not.toContain('555');
  issuer.responseParameters = {
    code: undefined,
    error: 'access_denied',
    error_description: 'No\u001b[31m thanks',
  };
  expect(await messageOf(authorized()(server.url))).toBe(
    `The authorization server "${issuer.issuer}" refuses the login: access_denied: No [31m thanks`,
  );
});

test.each([
  ['another state', { state: 'x' }, 'its "state" differs from that of the request'],
  ['no state', { state: undefined }, 'its "state" differs from that of the request'],
  ['no code', { code: undefined }, 'it has no "code"'],
])('a response with %s is refused', async (_, parameters, reason) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.responseParameters = parameters;
  // Without the loopback, which waits for the right state.
  const redirect = async (url: URL) =>
    (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
  const grant = userLogin({ redirectUri: 'http://127.0.0.1/callback', redirect });
  expect(await messageOf(authorized({ grant })(server.url))).toContain(reason);
  expect(issuer.tokenRequests()).toEqual([]);
});

test('a response with two codes is refused', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const redirect = async (url: URL) =>
    `${(await fetch(url, { redirect: 'manual' })).headers.get('location')}&code=second`;
  const grant = userLogin({ redirectUri: 'http://127.0.0.1/callback', redirect });
  expect(await messageOf(authorized({ grant })(server.url))).toContain('"code" occurs more than once');
  expect(issuer.tokenRequests()).toEqual([]);
});

test('a redirect URI without TLS that leaves the machine is refused', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const grant = userLogin({ redirectUri: 'http://app.example/callback' });
  expect(await messageOf(authorized({ grant })(server.url))).toContain(
    'Invalid redirect URI: "http://app.example/callback"; expected HTTPS or a loopback address',
  );
  expect(issuer.http.at('/register')).toEqual([]);
});

test('scopes: those of the challenge, else all of the metadata, else none', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  await authorized()(server.url);
  server.metadata['scopes_supported'] = ['read', 'write'];
  await authorized()(server.url);
  server.challenge = { scope: 'read' };
  await authorized()(server.url);
  expect(issuer.logins.map(({ scope }) => scope)).toEqual([undefined, 'read write', 'read']);
});

test('offline_access is requested where the authorization server lists it, with consent', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  server.challenge = { scope: 'read' };
  await authorized()(server.url);
  issuer.metadata['scopes_supported'] = ['read', 'offline_access'];
  await authorized()(server.url);
  const requested = issuer.logins.map(({ scope, prompt }) => [scope, prompt]);
  expect(requested).toEqual([
    ['read', undefined],
    ['read offline_access', 'consent'],
  ]);
});

test('the exchange of a code names the redirect URI and the client', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  await authorized()(server.url);
  const [login] = issuer.logins;
  const [exchange] = issuer.http.at('/token').map(formOf);
  expect(exchange).toMatchObject({ redirect_uri: login?.['redirect_uri'], client_id: login?.['client_id'] });
  expect(login?.['redirect_uri']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
});
