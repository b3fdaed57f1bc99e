import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Grant, SigningKey } from '@mcp/authorization';
import { formOf, HttpServer } from '@mcp/test-kit/http-server';
import { authorized, messageOf } from './login.ts';
import { startServers } from './servers.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The claims of a token, after its signature has been checked. */
function verified(token: string, key: KeyObject): { header: object; claims: { [name: string]: unknown } } {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const options = key.asymmetricKeyType === 'ec' ? { key, dsaEncoding: 'ieee-p1363' as const } : { key };
  const valid = createVerify('sha256')
    .update(`${header}.${claims}`)
    .verify(options, Buffer.from(signature, 'base64url'));
  if (!valid) throw new Error('Invalid signature');
  const parse = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as { [name: string]: unknown };
  return { header: parse(header), claims: parse(claims) };
}

test.each([
  [['client_secret_basic', 'client_secret_post'], false],
  [['client_secret_post'], true],
])('client credentials with a secret, where the server supports %j', async (supported, inBody) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['token_endpoint_auth_methods_supported'] = supported;
  // No user is involved, so that neither PKCE nor a login page is needed.
  delete issuer.metadata['code_challenge_methods_supported'];
  delete issuer.metadata['authorization_endpoint'];
  server.challenge = { scope: 'read' };
  issuer.addClient('service', 's/e c');
  const grant: Grant = { type: 'client_credentials', client: { id: 'service', secret: 's/e c' } };
  expect((await authorized({ grant })(server.url)).status).toBe(200);
  expect(issuer.tokenRequests()).toEqual([
    {
      grant_type: 'client_credentials',
      resource: server.url,
      scope: 'read',
      ...(inBody && { client_id: 'service', client_secret: 's/e c' }),
    },
  ]);
});

test('a server that takes no secret is an error before anything is sent to it', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['token_endpoint_auth_methods_supported'] = ['private_key_jwt'];
  const grant: Grant = { type: 'client_credentials', client: { id: 'service', secret: 'x' } };
  expect(await messageOf(authorized({ grant })(server.url))).toContain(
    `takes no secret from the client "service"; the authentication methods of the server are private_key_jwt`,
  );
  expect(issuer.tokenRequests()).toEqual([]);
});

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const cryptoKey = (key: KeyObject) =>
  crypto.subtle.importKey(
    'jwk',
    key.export({ format: 'jwk' }),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  );
const keys: readonly (readonly [string, SigningKey, KeyObject])[] = [
  ['ES256, PEM', { key: pem(ec.privateKey), algorithm: 'ES256', id: 'k1' }, ec.publicKey],
  [
    'ES256, JWK',
    { key: ec.privateKey.export({ format: 'jwk' }), algorithm: 'ES256', id: 'k1' },
    ec.publicKey,
  ],
  ['ES256, CryptoKey', { key: await cryptoKey(ec.privateKey), algorithm: 'ES256', id: 'k1' }, ec.publicKey],
  ['RS256, PEM', { key: pem(rsa.privateKey), algorithm: 'RS256', id: 'k1' }, rsa.publicKey],
];

test.each(keys)('client credentials with a signed assertion: %s', async (_, privateKey, publicKey) => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const grant: Grant = { type: 'client_credentials', client: { id: 'service', privateKey } };
  const call = authorized({ grant });
  await call(server.url);
  server.revokeAll();
  await call(server.url);
  const [first, second] = issuer.tokenRequests().map((form) => {
    expect(form['client_assertion_type']).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    expect(form['client_id']).toBe('service');
    return verified(form['client_assertion'] ?? '', publicKey);
  });
  expect(first?.header).toEqual({ typ: 'JWT', alg: privateKey.algorithm, kid: 'k1' });
  expect(first?.claims).toMatchObject({ iss: 'service', sub: 'service', aud: issuer.issuer });
  expect(Number(first?.claims['exp']) - Date.now() / 1000).toBeLessThanOrEqual(60);
  expect(second?.claims['jti']).not.toBe(first?.claims['jti']);
});

test('an unusable private key is an error that does not contain it', async () => {
  await using servers = await startServers();
  const { server } = servers;
  for (const key of [
    '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----',
    'secret',
    { kty: 'secret' },
  ]) {
    const grant: Grant = {
      type: 'client_credentials',
      client: { id: 'service', privateKey: { key, algorithm: 'ES256' } },
    };
    const message = await messageOf(authorized({ grant })(server.url));
    expect(message).toContain('Invalid private key; expected PKCS #8 in PEM');
    expect(message).not.toMatch(/secret|c2Vj/);
  }
});

test('client credentials are renewed before they expire, and need no refresh token', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.addClient('service', 'x');
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  issuer.lifetime = 3600;
  const call = authorized({ grant: { type: 'client_credentials', client: { id: 'service', secret: 'x' } } });
  await call(server.url);
  vi.setSystemTime(Date.now() + 3599_000);
  server.http.received.length = 0;
  await call(server.url);
  await call(server.url);
  expect(issuer.tokenRequests()).toHaveLength(2);
  const [, second] = issuer.tokens.keys();
  expect(server.presented).toEqual([second, second]);
});

test('a workload presents its assertion, and a refusal is not tried again', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const audiences: unknown[] = [];
  issuer.http.routes['/token'] = () =>
    issuer.issue({ clientId: 'w', resource: server.url, scopes: [] }, false);
  const grant: Grant = {
    type: 'jwt_bearer',
    assertion: (audience) => {
      audiences.push(audience);
      return Promise.resolve('header.claims.signature');
    },
  };
  const call = authorized({ grant });
  expect((await call(server.url)).status).toBe(200);
  expect(audiences).toEqual([{ issuer: issuer.issuer }]);
  expect(issuer.tokenRequests()).toEqual([
    { grant_type: jwtBearer, assertion: 'header.claims.signature', resource: server.url },
  ]);
  server.revokeAll();
  issuer.http.routes['/token'] = ({ body }) => ({
    status: 400,
    json: {
      error: 'invalid_grant',
      error_description: `Expired: ${new URLSearchParams(body).get('assertion')}`,
    },
  });
  expect(await messageOf(call(server.url))).toContain('refuses: invalid_grant: Expired: [secret]');
  expect(issuer.tokenRequests()).toHaveLength(2);
});

test('a user of an enterprise is exchanged at the identity provider and at the authorization server', async () => {
  await using servers = await startServers();
  await using provider = await HttpServer.start();
  const { issuer, server } = servers;
  const { origin } = provider;
  provider.routes['/.well-known/openid-configuration'] = () => ({
    json: { issuer: origin, token_endpoint: `${origin}/token` },
  });
  const granted = {
    access_token: 'the-grant',
    issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    token_type: 'N_A',
  };
  provider.routes['/token'] = () => ({ json: granted });
  issuer.http.routes['/token'] = () =>
    issuer.issue({ clientId: 'app', resource: server.url, scopes: [] }, false);
  server.challenge = { scope: 'read' };
  const grant: Grant = {
    type: 'enterprise',
    client: { id: 'app', secret: 'x' },
    identityProvider: {
      issuer: origin,
      client: { id: 'app-at-provider' },
      subjectToken: () => Promise.resolve('id-token'),
    },
  };
  expect((await authorized({ grant })(server.url)).status).toBe(200);
  expect(provider.at('/token').map(formOf)).toEqual([
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      audience: issuer.issuer,
      resource: server.url,
      scope: 'read',
      subject_token: 'id-token',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      client_id: 'app-at-provider',
    },
  ]);
  const [request] = issuer.http.at('/token');
  expect(request && formOf(request)).toEqual({
    grant_type: jwtBearer,
    assertion: 'the-grant',
    resource: server.url,
    scope: 'read',
  });
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('app:x').toString('base64')}`);
  provider.routes['/token'] = () => ({ json: { ...granted, issued_token_type: 'other' } });
  expect(await messageOf(authorized({ grant })(server.url))).toContain(
    'returned no Identity Assertion JWT Authorization Grant (ID-JAG)',
  );
});
