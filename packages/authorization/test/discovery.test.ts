import { expect, test } from 'vitest';
import { parseChallenge } from '../src/discovery/challenge.ts';
import { authorized, messageOf } from './login.ts';
import { startServers } from './servers.ts';

const resourcePath = '/.well-known/oauth-protected-resource';
const serverPath = '/.well-known/oauth-authorization-server';
const openidPath = '/.well-known/openid-configuration';
const absent = () => ({ status: 404 });

test.each([
  ['Bearer', {}],
  ['Bearer realm="a, b", scope="x  y", Basic realm="c"', { scopes: ['x', 'y'] }],
  ['Negotiate abc==, Bearer error=invalid_token', { error: 'invalid_token' }],
  ['Basic realm="\\"Bearer scope=no\\"", bearer SCOPE="yes"', { scopes: ['yes'] }],
  ['Bearer resource_metadata=https://a.example/x?y', { resourceMetadata: 'https://a.example/x?y' }],
  ['Bearer scope="a", scope="b"', { scopes: ['a'] }],
  ['DPoP algs="ES256"', { requiresDpop: true }],
  ['DPoP algs="ES256", Bearer', {}],
  ['Basic realm="x"', {}],
  ['"', {}],
  [null, {}],
])('the header WWW-Authenticate: %s', (header, expected) => {
  expect(parseChallenge(header)).toEqual({ requiresDpop: false, ...expected });
});

test('a long hostile WWW-Authenticate is read within two seconds', () => {
  const before = performance.now();
  for (const part of ['Bearer ', 'a=', '"\\', 'a="', ', ', '==', 'x '])
    parseChallenge(`Bearer ${part.repeat(20_000)}`);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('metadata of the resource comes from the URL of the challenge alone', async () => {
  await using servers = await startServers();
  const { server } = servers;
  server.http.routes['/elsewhere'] = () => ({ json: server.metadata });
  server.challenge = { resource_metadata: `${server.http.origin}/elsewhere` };
  await authorized()(server.url);
  expect(server.http.paths.filter((path) => path !== '/mcp')).toEqual(['/elsewhere']);
});

test('a URL of the challenge without metadata is an error', async () => {
  await using servers = await startServers();
  const { server } = servers;
  server.challenge = { resource_metadata: `${server.http.origin}/elsewhere` };
  expect(await messageOf(authorized()(server.url))).toContain(
    '/elsewhere" has no protected resource metadata',
  );
});

test('without a URL, metadata of the resource comes from the path, then from the root', async () => {
  await using servers = await startServers();
  const { server } = servers;
  const at = server.http.routes;
  at['/mcp'] = ({ headers }) => ({ status: headers.authorization === undefined ? 401 : 200 });
  await authorized()(server.url);
  at[`${resourcePath}/mcp`] = () => ({ body: '<html>' });
  at[resourcePath] = () => ({ json: { ...server.metadata, resource: server.http.origin } });
  await authorized()(server.url);
  const fetched = server.http.paths.filter((path) => path !== '/mcp');
  expect(fetched).toEqual([`${resourcePath}/mcp`, `${resourcePath}/mcp`, resourcePath]);
});

test.each([
  ['another origin', 'https://evil.example/mcp'],
  ['another path', '/mcp2'],
  ['a path below', '/mcp/x'],
  ['a fragment', '/mcp#x'],
  ['no URL', 'mcp'],
  ['nothing', undefined],
])('metadata of a resource that is %s is refused before a login', async (_, resource) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  server.metadata['resource'] = resource?.startsWith('/') ? `${server.http.origin}${resource}` : resource;
  expect(await messageOf(authorized()(server.url))).toContain('is the metadata of another resource');
  expect(issuer.http.received).toEqual([]);
});

test.each([
  ['', [serverPath, openidPath]],
  ['/tenant', [`${serverPath}/tenant`, `${openidPath}/tenant`, `/tenant${openidPath}`]],
  ['/a/b', [`${serverPath}/a/b`, `${openidPath}/a/b`, `/a/b${openidPath}`]],
])('the well-known URIs of an issuer with the path "%s", in order', async (path, expected) => {
  await using servers = await startServers(path);
  const { issuer, server } = servers;
  const { routes } = issuer.http;
  const [document] = expected;
  const wellKnown = () => issuer.http.paths.filter((each) => each.includes('.well-known'));
  await authorized()(server.url);
  expect(wellKnown()).toEqual([document]);
  issuer.http.received.length = 0;
  routes[document ?? ''] = absent;
  routes[expected.at(-1) ?? ''] = () => ({ json: issuer.metadata });
  expect((await authorized()(server.url)).status).toBe(200);
  expect(wellKnown()).toEqual(expected);
});

test('metadata with another issuer is not used, and a later document with the right one is', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const { routes, origin } = issuer.http;
  routes[serverPath] = () => ({ json: { ...issuer.metadata, issuer: `${origin}/` } });
  expect(await messageOf(authorized()(server.url))).toBe(
    `The metadata of the authorization server "${origin}" names another issuer: "${origin}/"`,
  );
  expect(issuer.http.paths).toEqual([serverPath, openidPath]);
  routes[openidPath] = () => ({ json: issuer.metadata });
  expect((await authorized()(server.url)).status).toBe(200);
});

test('a server that has 500 for unknown paths is one without metadata there', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const { [`${resourcePath}/mcp`]: metadata } = server.http.routes;
  server.http.routes[`${resourcePath}/mcp`] = () => ({ status: 500 });
  server.http.routes[resourcePath] = metadata!;
  server.http.routes['/mcp'] = (
    ({ '/mcp': answer }) =>
    async (request) => {
      const { status = 200 } = await answer!(request);
      return { status, json: {}, headers: { 'www-authenticate': 'Bearer' } };
    }
  )({ ...server.http.routes });
  expect((await authorized()(server.url)).status).toBe(200);
  expect(issuer.logins).toHaveLength(1);
});

test('an issuer without metadata is an error that names it', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.http.routes[serverPath] = absent;
  expect(await messageOf(authorized()(server.url))).toContain(
    `The authorization server "${issuer.issuer}" has no metadata at its well-known URLs`,
  );
});

test('metadata without an authorization server is an error', async () => {
  await using servers = await startServers();
  const { server } = servers;
  server.metadata['authorization_servers'] = [];
  expect(await messageOf(authorized()(server.url))).toContain('names no authorization server');
});

test('a server of the first revision publishes its own metadata, or has endpoints with default names', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const { routes, origin } = server.http;
  routes[`${resourcePath}/mcp`] = absent;
  routes['/mcp'] = ({ headers }) => ({ status: headers.authorization === undefined ? 401 : 200 });
  routes[serverPath] = () => ({
    json: { ...issuer.metadata, issuer: origin, authorization_response_iss_parameter_supported: false },
  });
  issuer.responseParameters = { iss: undefined };
  expect((await authorized()(server.url)).status).toBe(200);
  expect(issuer.logins[0]).toMatchObject({ code_challenge_method: 'S256', resource: server.url });
  routes[serverPath] = absent;
  for (const path of ['/authorize', '/token', '/register']) {
    const route = issuer.http.routes[path];
    if (route) routes[path] = route;
  }
  expect((await authorized()(server.url)).status).toBe(200);
  expect(server.http.paths.slice(-4)).toEqual(['/register', '/authorize', '/token', '/mcp']);
});

test('the revision of a request is named to the metadata too', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  await authorized()(server.url, { headers: { 'mcp-protocol-version': '2025-06-18' } });
  expect(server.http.at(`${resourcePath}/mcp`)[0]?.headers['mcp-protocol-version']).toBe('2025-06-18');
  expect(issuer.http.at(serverPath)[0]?.headers['mcp-protocol-version']).toBe('2025-06-18');
});
