import { expect, test } from 'vitest';
import { memoryTokenStore } from '@mcp/authorization';
import { AuthorizationServer } from './authorization-server.ts';
import { authorized, messageOf, userLogin } from './login.ts';
import { startServers } from './servers.ts';

const clientMetadataUrl = 'https://app.example/client.json';
/** A redirect URI that stays the same, so that a registration can be used again. */
const fixed = () =>
  userLogin({
    redirectUri: 'http://127.0.0.1:1/callback',
    redirect: async (url) => (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '',
  });

test('a client that is registered beforehand comes before all others', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['client_id_metadata_document_supported'] = true;
  issuer.addClient('known', 's3:cr t/%');
  const grant = userLogin({ client: { id: 'known', secret: 's3:cr t/%' }, clientMetadataUrl });
  expect((await authorized({ grant })(server.url)).status).toBe(200);
  expect(issuer.logins[0]?.['client_id']).toBe('known');
  expect(issuer.http.at('/register')).toEqual([]);
});

test('the URL of a client id metadata document comes before a registration, where it is supported', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const grant = userLogin({ clientMetadataUrl });
  await authorized({ grant })(server.url);
  issuer.metadata['client_id_metadata_document_supported'] = true;
  await authorized({ grant })(server.url);
  expect(issuer.logins.map((login) => login['client_id'])).toEqual(['registered-1', clientMetadataUrl]);
  expect(issuer.tokenRequests()[1]).toMatchObject({ client_id: clientMetadataUrl });
});

test.each(['http://app.example/client.json', 'https://app.example', 'https://app.example/#x', 'client.json'])(
  'the client metadata URL "%s" is refused before any request',
  (url) => {
    expect(() => authorized({ grant: userLogin({ clientMetadataUrl: url }) })).toThrow(
      `Invalid clientMetadataUrl: "${url}"; expected an HTTPS URL with a path`,
    );
  },
);

test('a registration names the type of the application and asks for refresh tokens', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  await authorized({ grant: userLogin({ clientName: 'Notes' }) })(server.url);
  await authorized({ grant: { ...fixed(), redirectUri: 'https://app.example/callback' } })(server.url);
  const [native, web] = issuer.http.at('/register').map(({ body }) => JSON.parse(body) as object);
  expect(native).toMatchObject({
    client_name: 'Notes',
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  expect(web).toMatchObject({ application_type: 'web', redirect_uris: ['https://app.example/callback'] });
});

test.each([
  [['client_secret_basic'], 'client_secret_basic'],
  [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
  [['client_secret_post'], 'client_secret_post'],
  [undefined, 'client_secret_basic'],
])('a client authenticates itself by what the server supports: %j', async (supported, method) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['token_endpoint_auth_methods_supported'] = supported;
  expect((await authorized()(server.url)).status).toBe(200);
  expect(JSON.parse(issuer.http.at('/register')[0]?.body ?? '')).toMatchObject({
    token_endpoint_auth_method: method,
  });
  const [exchange] = issuer.http.at('/token');
  expect(exchange?.headers.authorization?.startsWith('Basic ') ?? false).toBe(
    method === 'client_secret_basic',
  );
  expect('client_secret' in (issuer.tokenRequests()[0] ?? {})).toBe(method === 'client_secret_post');
});

test('a stored registration is used again with its issuer and redirect URI, and with no other', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  await authorized({ store, grant: fixed() })(server.url);
  issuer.tokens.clear();
  issuer.forgetRefreshTokens();
  await authorized({ store, grant: fixed() })(server.url);
  expect(issuer.http.at('/register')).toHaveLength(1);
  issuer.tokens.clear();
  issuer.forgetRefreshTokens();
  await authorized({ store, grant: { ...fixed(), redirectUri: 'http://127.0.0.1:2/callback' } })(server.url);
  expect(issuer.http.at('/register')).toHaveLength(2);
});

test('when the authorization server changes, the client registers with the new one', async () => {
  await using servers = await startServers();
  await using second = await AuthorizationServer.start();
  const { issuer, server } = servers;
  const call = authorized({ grant: fixed() });
  await call(server.url);
  server.metadata['authorization_servers'] = [second.issuer];
  server.revokeAll();
  const message = await messageOf(call(server.url));
  expect(message).toContain('refuses a token that was just issued for it');
  expect(second.http.at('/register')).toHaveLength(1);
  expect(issuer.tokenRequests('refresh_token')).toEqual([]);
  const [registered] = second.logins;
  expect(registered?.['client_id']).toBe('registered-1');
});

test('a client registered beforehand is sent to its own issuer alone', async () => {
  await using servers = await startServers();
  await using second = await AuthorizationServer.start();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  issuer.addClient('known', 'secret');
  const grant = userLogin({ client: { id: 'known', secret: 'secret' } });
  await authorized({ store, grant })(server.url);
  server.metadata['authorization_servers'] = [second.issuer];
  server.revokeAll();
  // Remembered from the first login, and configured.
  const client = { id: 'known', secret: 'secret', issuer: issuer.issuer };
  for (const options of [{ store, grant }, { grant: userLogin({ client }) }]) {
    expect(await messageOf(authorized(options)(server.url))).toBe(
      `The client "known" is registered with ` +
        `"${issuer.issuer}", but the MCP server names the authorization server "${second.issuer}"`,
    );
  }
  expect(second.logins).toEqual([]);
  server.metadata['authorization_servers'] = [second.issuer, issuer.issuer];
  expect((await authorized({ grant: userLogin({ client }) })(server.url)).status).toBe(200);
});

test('a registration that its server has dropped is not used again', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  const call = authorized({ store, grant: fixed() });
  await call(server.url);
  issuer.forgetClients();
  server.revokeAll();
  // The refresh is refused with invalid_client; the login registers anew.
  expect((await call(server.url)).status).toBe(200);
  expect(issuer.http.at('/register')).toHaveLength(2);
});

test('a registration whose secret has expired is not used again', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  await authorized({ store, grant: fixed() })(server.url);
  const key = { kind: 'registration', issuer: issuer.issuer } as const;
  const registration = (await store.get(key)) as { [name: string]: unknown };
  await store.set(key, { ...registration, secretExpiresAt: 1_000 });
  server.revokeAll();
  await authorized({ store, grant: fixed() })(server.url);
  expect(issuer.http.at('/register')).toHaveLength(2);
});

test('a refused registration says what the server says', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.http.routes['/register'] = () => ({
    status: 400,
    json: { error: 'invalid_redirect_uri', error_description: 'Loopback is not allowed' },
  });
  expect(await messageOf(authorized()(server.url))).toContain(
    `"${issuer.issuer}/register" refuses: invalid_redirect_uri: Loopback is not allowed`,
  );
  delete issuer.metadata['registration_endpoint'];
  expect(await messageOf(authorized()(server.url))).toContain(
    `The authorization server "${issuer.issuer}" does not register clients dynamically; register one there and pass its id as "client"`,
  );
});
