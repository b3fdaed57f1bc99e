import { createHash, createPublicKey, createVerify, type JsonWebKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { memoryTokenStore } from '@mcp/authorization';
import type { Received, Reply, Route } from '@mcp/test-kit/http-server';
import { authorized, messageOf } from './login.ts';
import { type Servers, startServers } from './servers.ts';

interface Proof {
  readonly header: { readonly typ: string; readonly alg: string; readonly jwk: JsonWebKey };
  readonly claims: { readonly [name: string]: string | number };
}

/** The proof of a request, after its signature has been checked. */
function proofOf({ headers }: Received): Proof {
  const [header = '', claims = '', signature = ''] = String(headers['dpop']).split('.');
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  const proof = { header: parse(header), claims: parse(claims) } as Proof;
  const key = createPublicKey({ key: proof.header.jwk, format: 'jwk' });
  const valid = createVerify('sha256')
    .update(`${header}.${claims}`)
    .verify({ key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!valid) throw new Error('Invalid signature');
  return proof;
}

/** Servers whose tokens are bound, and which may demand a nonce of their own each. */
async function startBound(nonces: { issuer?: string; server?: string } = {}): Promise<Servers> {
  const servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['dpop_signing_alg_values_supported'] = ['ES256', 'RS256'];
  const [token, answer] = [issuer.http.routes['/token'], server.http.routes['/mcp']];
  issuer.http.routes['/token'] = withNonce(nonces.issuer, 400, async (request) => {
    const reply = (await token?.(request)) ?? {};
    proofOf(request);
    return reply.json === undefined || reply.status === 400
      ? reply
      : { ...reply, json: { ...(reply.json as object), token_type: 'DPoP' } };
  });
  const checked: Route = async (request) => (await answer?.(request)) ?? {};
  const guarded = withNonce(nonces.server, 401, checked);
  server.http.routes['/mcp'] = async (request) => {
    const reply: Reply =
      request.headers.authorization === undefined ? await checked(request) : await guarded(request);
    const header = reply.headers?.['www-authenticate'];
    if (header === undefined) return reply;
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': header.replace('Bearer', 'DPoP') } };
  };
  return servers;
}

function withNonce(nonce: string | undefined, status: number, next: Route): Route {
  return (request) => {
    if (nonce === undefined || proofOf(request).claims['nonce'] === nonce) return next(request);
    const error = 'use_dpop_nonce';
    return {
      status,
      headers: { 'dpop-nonce': nonce, 'www-authenticate': `Bearer error="${error}"` },
      json: { error },
    };
  };
}

test('a server that demands DPoP gets a fresh proof with each request', async () => {
  await using servers = await startBound();
  const { issuer, server } = servers;
  const call = authorized();
  await call(`${server.url}?session=1`);
  await call(server.url, { method: 'GET', body: null });
  const [token = ''] = issuer.tokens.keys();
  const requests = server.http.at('/mcp').slice(1);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([`DPoP ${token}`, `DPoP ${token}`]);
  const proofs = [...issuer.http.at('/token'), ...requests].map(proofOf);
  const ath = createHash('sha256').update(token).digest('base64url');
  expect(proofs.map(({ claims: { htm, htu, ath: hash } }) => ({ htm, htu, hash }))).toEqual([
    { htm: 'POST', htu: `${issuer.issuer}/token`, hash: undefined },
    { htm: 'POST', htu: server.url, hash: ath },
    { htm: 'GET', htu: server.url, hash: ath },
  ]);
  expect(new Set(proofs.map(({ claims }) => claims['jti'])).size).toBe(3);
  expect(new Set(proofs.map(({ header }) => header.jwk.x)).size).toBe(1);
  for (const { header, claims } of proofs) {
    expect(header).toMatchObject({ typ: 'dpop+jwt', alg: 'ES256' });
    expect(Object.keys(header.jwk).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(Math.abs(Number(claims['iat']) - Date.now() / 1000)).toBeLessThan(5);
  }
});

test('nonces of both servers are kept apart and used from then on', async () => {
  await using servers = await startBound({ issuer: 'nonce-a', server: 'nonce-s' });
  const { issuer, server } = servers;
  const call = authorized();
  expect((await call(server.url)).status).toBe(200);
  expect((await call(server.url)).status).toBe(200);
  server.revokeAll();
  expect((await call(server.url)).status).toBe(200);
  const nonces = (requests: Received[]) => requests.map((request) => proofOf(request).claims['nonce']);
  expect(nonces(issuer.http.at('/token'))).toEqual([undefined, 'nonce-a', 'nonce-a']);
  const [, ...requests] = server.http.at('/mcp');
  expect(nonces(requests)).toEqual([undefined, 'nonce-s', 'nonce-s', 'nonce-s', 'nonce-s']);
  expect(issuer.logins).toHaveLength(1);
});

test('a nonce is used that a server demands with values without quotes, as some write URLs', async () => {
  await using servers = await startBound({ server: 'nonce-s' });
  const { issuer, server } = servers;
  const answer = server.http.routes['/mcp'];
  server.http.routes['/mcp'] = async (request) => {
    const reply: Reply = (await answer?.(request)) ?? {};
    const header = reply.headers?.['www-authenticate'];
    if (!header?.includes('use_dpop_nonce')) return reply;
    const unquoted = `${header}, resource_metadata=${server.url}/metadata`;
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': unquoted } };
  };
  expect((await authorized()(server.url)).status).toBe(200);
  const [, ...requests] = server.http.at('/mcp');
  expect(requests.map((request) => proofOf(request).claims['nonce'])).toEqual([undefined, 'nonce-s']);
  expect(issuer.logins).toHaveLength(1);
});

test('a server that demands another nonce each time gets one more proof, not endless ones', async () => {
  await using servers = await startBound();
  const { server } = servers;
  let count = 0;
  const answer = server.http.routes['/mcp'];
  const call = authorized();
  await call(server.url);
  server.http.routes['/mcp'] = (request) =>
    request.headers.authorization === undefined
      ? (answer?.(request) ?? {})
      : {
          status: 401,
          headers: { 'dpop-nonce': `n${count++}`, 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
        };
  server.http.received.length = 0;
  expect(await messageOf(call(server.url))).toContain('refuses a token that was just issued for it');
  expect(server.http.at('/mcp').length).toBeLessThanOrEqual(8);
});

test('a bound token and its key are used by the next run', async () => {
  await using servers = await startBound();
  const { issuer, server } = servers;
  const store = memoryTokenStore();
  await authorized({ store })(server.url);
  await authorized({ store })(server.url);
  const proofs = server.http.at('/mcp').slice(1).map(proofOf);
  expect(issuer.logins).toHaveLength(1);
  expect(proofs.map(({ header }) => header.jwk.x)).toEqual([
    proofs[0]?.header.jwk.x,
    proofs[0]?.header.jwk.x,
  ]);
});

test('DPoP is used only where the server demands it, or the options do', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['dpop_signing_alg_values_supported'] = ['ES256'];
  await authorized()(server.url);
  expect(issuer.http.at('/token')[0]?.headers['dpop']).toBeUndefined();
  expect(await messageOf(authorized({ dpop: true })(server.url))).toContain(
    'did not bind the token to the DPoP key',
  );
  server.metadata['dpop_bound_access_tokens_required'] = true;
  await authorized({ dpop: false })(server.url);
  await authorized()(server.url);
  const proofs = issuer.http.at('/token').map(({ headers }) => headers['dpop'] !== undefined);
  expect(proofs).toEqual([false, true, false, true]);
});

test('an authorization server without ES256 is an error where DPoP is demanded', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  issuer.metadata['dpop_signing_alg_values_supported'] = ['RS256'];
  expect(await messageOf(authorized({ dpop: true })(server.url))).toContain(
    'does not support DPoP with ES256',
  );
  expect(issuer.logins).toEqual([]);
});
