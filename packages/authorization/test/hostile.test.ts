import { Readable } from 'node:stream';
import { Client, serverAt } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { withOAuth } from '@mcp/authorization';
import { HttpServer, type Reply } from '@mcp/test-kit/http-server';
import { authorized, messageOf, userLogin } from './login.ts';
import { startServers } from './servers.ts';

const serverPath = '/.well-known/oauth-authorization-server';
const resourcePath = '/.well-known/oauth-protected-resource/mcp';

/** A body that never ends. */
const endless = () => Readable.from(forever());
async function* forever() {
  const chunk = 'x'.repeat(64 * 1024);
  for (;;) yield await Promise.resolve(chunk);
}

/**
 * Requests to the hosts of `example` reach this server, whatever their scheme, and are
 * recorded; no others leave.
 */
async function startInternet(routes: HttpServer['routes'] = {}) {
  const http = await HttpServer.start(routes);
  const urls: string[] = [];
  const fetch = (async (request: Request) => {
    urls.push(request.url);
    const url = new URL(request.url);
    const { method, headers, signal } = request;
    const body = method === 'POST' ? await request.text() : null;
    return globalThis.fetch(`${http.origin}${url.pathname}`, {
      method,
      headers,
      signal,
      body,
      redirect: 'manual',
    });
  }) as typeof globalThis.fetch;
  return { http, urls, fetch, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() };
}

test.each([
  [
    'the metadata of the resource',
    (s: Awaited<ReturnType<typeof startServers>>) => s.server.http,
    resourcePath,
  ],
  ['the metadata of the issuer', (s: Awaited<ReturnType<typeof startServers>>) => s.issuer.http, serverPath],
  ['a registration', (s: Awaited<ReturnType<typeof startServers>>) => s.issuer.http, '/register'],
  ['a token response', (s: Awaited<ReturnType<typeof startServers>>) => s.issuer.http, '/token'],
])('%s without an end is cut off', async (_, host, path) => {
  await using servers = await startServers();
  host(servers).routes[path] = () => ({ body: endless() });
  expect(await messageOf(authorized()(servers.server.url))).toContain(
    `Cannot reach "${host(servers).origin}${path}": the body is longer than 262144 bytes`,
  );
});

test.each([
  ['the metadata of the issuer', serverPath],
  ['a registration', '/register'],
  ['a token response', '/token'],
])('%s that never comes ends with the login', async (_, path) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.http.routes[path] = () => new Promise(() => {});
  expect(await messageOf(authorized({ loginTimeoutMs: 300 })(server.url))).toBe(
    `The login was not completed within 300 ms`,
  );
});

test('a user who never comes back ends the login, and nothing listens any more', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.http.routes['/authorize'] = () => ({ body: 'Who are you?' });
  expect(await messageOf(authorized({ loginTimeoutMs: 500 })(server.url))).toContain(
    'The login was not completed within 500 ms',
  );
  const uri = issuer.logins[0]?.['redirect_uri'] ?? '';
  await expect(fetch(uri)).rejects.toThrow();
});

test.each(['null', '[]', '"x"', '{', '<html>', ''])('metadata that is %j counts as none', async (body) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.http.routes[serverPath] = () => ({ body });
  expect(await messageOf(authorized()(server.url))).toContain('has no metadata');
});

test('fields of the wrong type are not used', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const { metadata } = issuer;
  server.metadata['scopes_supported'] = [7, { a: 1 }, 'read'];
  issuer.metadata = { ...metadata, registration_endpoint: { href: 'x' } };
  expect(await messageOf(authorized()(server.url))).toContain('does not register clients dynamically');
  issuer.metadata = { ...metadata, token_endpoint: 7 };
  expect(await messageOf(authorized()(server.url))).toContain('has no token endpoint');
  issuer.metadata = { ...metadata, authorization_endpoint: null };
  expect(await messageOf(authorized()(server.url))).toContain('has no authorization endpoint');
  issuer.metadata = metadata;
  expect((await authorized()(server.url)).status).toBe(200);
  expect(issuer.logins.at(-1)?.['scope']).toBe('read');
});

test.each([
  ['javascript:alert(1)//x', 'expected an HTTPS URL'],
  ['data:text/html,x', 'expected an HTTPS URL'],
  ['file:///etc/passwd', 'expected an HTTPS URL'],
  ['https://user:pass@login.example/', 'expected a URL without credentials'],
  ['/authorize', 'expected an absolute URL'],
  ['https://login.example/\n\u001b[31m', 'expected an absolute URL'],
  ['http://login.example/authorize', 'expected an HTTPS URL'],
])('the authorization endpoint %j is refused', async (endpoint, reason) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['authorization_endpoint'] = endpoint;
  const opened: URL[] = [];
  const redirect = (url: URL) => Promise.resolve(opened.push(url)).then(() => '');
  const grant = userLogin({ redirectUri: 'http://127.0.0.1/', redirect });
  const message = await messageOf(authorized({ grant })(server.url));
  expect(message).toContain(`Invalid authorization_endpoint of "${issuer.issuer}": `);
  expect(message).toContain(reason);
  for (const part of ['pass@', '\n', '\u001b']) expect(message).not.toContain(part);
  expect(opened).toEqual([]);
});

test.each([
  'https://169.254.169.254/latest',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://172.31.0.1/',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://localhost/',
  'https://a.localhost./',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a00:1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[64:ff9b::a00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[::a00:1]/',
  'https://[::ffff:0:a00:1]/',
  'https://[2002:a00:1::]/',
  'https://[fec0::1]/',
])('a public server cannot have %s requested', async (target) => {
  await using internet = await startInternet({
    '/mcp': () => ({ status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${target}"` } }),
    '/two': () => ({ status: 401 }),
    '/.well-known/oauth-protected-resource/two': () => ({
      json: { resource: 'https://server.example/two', authorization_servers: [target] },
    }),
    '/three': () => ({ status: 401 }),
    '/.well-known/oauth-protected-resource/three': () => ({ status: 302, headers: { location: target } }),
  });
  for (const path of ['/mcp', '/two', '/three']) {
    const message = await messageOf(authorized({}, internet.fetch)(`https://server.example${path}`));
    expect(message).toMatch(/a public server cannot name a (?:private|loopback) address/);
  }
  const hosts = internet.urls.map((url) => new URL(url).hostname);
  expect(new Set(hosts)).toEqual(new Set(['server.example']));
});

test('an origin that is trusted may be private and without TLS', async () => {
  await using internet = await startInternet({
    '/mcp': ({ headers }) => ({ status: headers.authorization === undefined ? 401 : 200 }),
    '/.well-known/oauth-protected-resource/mcp': () => ({
      json: { resource: 'https://server.example/mcp', authorization_servers: ['http://10.0.0.1'] },
    }),
    [serverPath]: () => ({ json: { issuer: 'http://10.0.0.1', token_endpoint: 'http://10.0.0.1/token' } }),
    '/token': () => ({ json: { access_token: 'x', token_type: 'bearer' } }),
  });
  const grant = { type: 'client_credentials', client: { id: 'a', secret: 'b' } } as const;
  const options = { grant, trustedOrigins: ['http://10.0.0.1'] };
  expect((await authorized(options, internet.fetch)('https://server.example/mcp')).status).toBe(200);
  expect(() => authorized({ trustedOrigins: ['10.0.0.1'] })).toThrow('Invalid trustedOrigins: "10.0.0.1"');
});

test('a server without TLS gets no login and no token', async () => {
  await using internet = await startInternet({ '/mcp': () => ({ status: 401 }) });
  expect(await messageOf(authorized({}, internet.fetch)('http://server.example/mcp'))).toBe(
    'Invalid server URL: "http://server.example/mcp"; expected an HTTPS URL',
  );
  expect(internet.urls).toEqual(['http://server.example/mcp']);
});

test('redirects of metadata are followed three times', async () => {
  await using servers = await startServers();
  const { server } = servers;
  let hops = 3;
  server.http.routes[resourcePath] = () =>
    hops-- > 0 ? { status: 302, headers: { location: resourcePath } } : { json: server.metadata };
  expect((await authorized()(server.url)).status).toBe(200);
  hops = 4;
  expect(await messageOf(authorized()(server.url))).toContain('redirects more than 3 times');
});

test.each(['/token', '/register'])('a redirect of %s is not followed', async (path) => {
  await using servers = await startServers();
  await using other = await HttpServer.start();
  const { issuer, server } = servers;
  for (const status of [301, 302, 303, 307, 308]) {
    issuer.http.routes[path] = () => ({ status, headers: { location: `${other.origin}/steal` } });
    expect(await messageOf(authorized()(server.url))).toContain(
      `"${issuer.issuer}${path}" redirects; a request with secrets follows no redirect, so the metadata must name the final URL`,
    );
  }
  expect(other.received).toEqual([]);
});

test.each([
  ['no token', { token_type: 'Bearer' }, 'no access_token'],
  [
    'a token that breaks a header',
    { access_token: 'a\r\nx: y', token_type: 'Bearer' },
    'with characters that HTTP headers do not allow',
  ],
  [
    'a token beyond ASCII',
    { access_token: 'é', token_type: 'Bearer' },
    'with characters that HTTP headers do not allow',
  ],
  ['another type', { access_token: 'a', token_type: 'mac' }, 'a token_type other than Bearer and DPoP'],
  ['no type', { access_token: 'a' }, 'a token_type other than Bearer and DPoP'],
  [
    'a bound token for no proof',
    { access_token: 'a', token_type: 'DPoP' },
    'a DPoP token for a request without a DPoP proof',
  ],
  ['an error with success', { error: 'bad', access_token: 'a', token_type: 'Bearer' }, 'refuses: bad'],
])('a token response with %s is refused', async (_, json, reason) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.http.routes['/token'] = () => ({ json });
  expect(await messageOf(authorized()(server.url))).toContain(reason);
  expect(server.presented).toEqual([undefined]);
});

test('what a server repeats of a secret is not in the error', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.addClient('app', 'the secret');
  issuer.http.routes['/token'] = ({ headers, body }) => ({
    status: 400,
    json: {
      error: 'invalid_request',
      error_description: `${headers.authorization} ${decodeURIComponent(body)}`,
    },
  });
  const grant = userLogin({ client: { id: 'app', secret: 'the secret' } });
  const error = await authorized({ grant })(server.url).catch((reason: unknown) => reason);
  const [form] = issuer.tokenRequests();
  const shown = `${String(error)} ${JSON.stringify(error)} ${String((error as Error).stack)}`;
  for (const secret of [form?.['code'], form?.['code_verifier'], 'the secret', 'the%20secret', 'YXBw'])
    expect(shown).not.toContain(secret);
  expect(error).toMatchObject({ name: 'AuthorizationError', step: 'token', code: 'invalid_request' });
});

test.each(['2026-07-28', undefined])(
  'a token that a server echoes is not in the error (%s)',
  async (version) => {
    await using servers = await startServers();
    const { issuer, server } = servers;
    const answer = server.http.routes['/mcp'];
    server.http.routes['/mcp'] = async (request) => {
      const { authorization } = request.headers;
      const isInitialize = request.body.includes('"initialize"');
      // The second request, with a token that was accepted, is made without the layer.
      if (authorization !== undefined && (version || isInitialize))
        return { status: 500, body: authorization };
      return answer!(request);
    };
    const connecting = Client.connect(
      serverAt(server.url, { authorize: withOAuth({ grant: userLogin() }) }),
      {
        ...(version && { revision: version }),
      },
    );
    const message = await messageOf(connecting);
    expect(message).toContain('HTTP 500: Bearer [secret]');
    for (const token of issuer.tokens.keys()) expect(message).not.toContain(token);
  },
);

test('a challenge that comes from another origin by a redirect begins no login', async () => {
  await using servers = await startServers();
  await using evil = await startServers();
  const { issuer, server } = servers;
  server.http.routes['/mcp'] = () => ({ status: 307, headers: { location: evil.server.url } });
  expect((await authorized()(server.url)).status).toBe(401);
  expect([...issuer.http.received, ...evil.issuer.http.received]).toEqual([]);
});

test('an issuer whose path begins with two slashes stays at its own host', async () => {
  await using servers = await startServers();
  await using other = await HttpServer.start();
  const { issuer, server } = servers;
  const path = `//${new URL(other.origin).host}`;
  server.metadata['authorization_servers'] = [`${issuer.http.origin}${path}`];
  expect(await messageOf(authorized()(server.url))).toContain('has no metadata');
  expect(other.received).toEqual([]);
  expect(issuer.http.paths).toContain(`${path}/.well-known/openid-configuration`);
});

test.each<[string, string, Reply]>([
  ['a registration with the status 200', '/register', { json: { client_id: 'any' } }],
  [
    'a secret without a time of expiry',
    '/register',
    { status: 201, json: { client_id: 'any', client_secret: 'x' } },
  ],
  [
    'a token response with fields that are not used',
    '/token',
    { json: { access_token: 'any', token_type: 'bearer', scope: null, expires_in: '', id_token: 'x' } },
  ],
])('%s is accepted', async (_, path, reply) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.addClient('any');
  issuer.http.routes[path] = () => reply;
  server.http.routes['/mcp'] = ({ headers }) =>
    headers.authorization === undefined ? server.refuse(401, {}) : { json: {} };
  if (path === '/register')
    issuer.http.routes['/token'] = () => ({ json: { access_token: 'any', token_type: 'bearer' } });
  expect((await authorized()(server.url)).status).toBe(200);
});

test.each<[string, Reply]>([
  ['with success', { status: 200 }],
  ['as text', { status: 400, headers: { 'content-type': 'text/plain' } }],
  ['with a challenge', { status: 401, headers: { 'www-authenticate': 'Basic realm="clients"' } }],
])('an error of the token endpoint %s is shown', async (_, reply) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.http.routes['/token'] = () => ({ ...reply, json: { error: 'invalid_grant' } });
  expect(await messageOf(authorized()(server.url))).toContain('/token" refuses: invalid_grant');
});
