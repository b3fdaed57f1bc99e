import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { defineResource, defineServer } from '@mcp/protocol';
import { serveHttp, type Verify } from '@mcp/protocol/http';
import { HttpServer } from '@mcp/test-kit/http-server';
import { SignJWT } from 'jose';
import { introspectionVerifier, jwtVerifier } from '@mcp/verifiers';
import { expect, test } from 'vitest';
import { audience, Issuer, makeKey, thumbprintOf } from './issuer.ts';

// The tokens of open streams are verified again, in these tests every 20 milliseconds.

const note = defineResource({ uri: 'note:///1', name: 'note', read: () => '', watch: () => () => {} });
const server = defineServer({ name: 'notes', version: '1.0.0', resources: [note] });
const revision = '2026-07-28';

/** Serves with a verifier; `verified` resolves after so many calls of it. */
async function serve(verify: Verify) {
  let calls = 0;
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const counted: Verify = async (...args) => {
    try {
      return await verify(...args);
    } finally {
      calls++;
      for (const { count, resolve } of waiting) if (calls >= count) resolve();
    }
  };
  const listener = await serveHttp(server, {
    authorization: {
      verify: Object.assign(counted, { dpop: verify.dpop }),
      metadata: { resource: audience, authorizationServers: ['https://login.example.com'] },
    },
    limits: { recheckMs: 20 },
  });
  const listen = (headers: { readonly [name: string]: string }) =>
    fetch(listener.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': 'subscriptions/listen',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { resourceSubscriptions: ['note:///1'] },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': revision,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
  return {
    listen,
    verified: (more: number) =>
      new Promise<void>((resolve) => waiting.push({ count: calls + more, resolve })),
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

const clockTolerance = 1;

test('a stream with a token that is bound to a key needs one proof, and ends when the token expires', async () => {
  await using issuer = await Issuer.start();
  const key = await makeKey(undefined);
  await using endpoint = await serve(jwtVerifier({ ...issuer.options, dpop: 'required', clockTolerance }));
  const exp = Math.floor(Date.now() / 1_000) + 1;
  const token = await issuer.token({ cnf: { jkt: await thumbprintOf(key) }, exp });
  const { kid: _kid, use: _use, alg: _alg, ...jwk } = key.published;
  const ath = createHash('sha256').update(token).digest('base64url');
  const proof = await new SignJWT({ jti: randomUUID(), htm: 'POST', htu: audience, ath })
    .setIssuedAt()
    .setProtectedHeader({ alg: key.alg, typ: 'dpop+jwt', jwk })
    .sign(key.privateKey);
  const headers = { authorization: `DPoP ${token}`, dpop: proof };
  const stream = await endpoint.listen(headers);
  expect(stream.status).toBe(200);
  await endpoint.verified(3);
  expect((await endpoint.listen(headers)).status).toBe(401);
  await text(stream.body!);
  expect(Date.now()).toBeGreaterThanOrEqual((exp + clockTolerance) * 1_000);
});

test('a stream ends when the authorization server says that the token is not active any more', async () => {
  let isActive = true;
  await using http = await HttpServer.start({
    '/introspect': () => ({ json: { active: isActive, sub: 'ada', aud: audience } }),
  });
  const client = { clientId: 'notes', clientSecret: 'a secret', cacheSeconds: 0 };
  await using endpoint = await serve(
    introspectionVerifier({ endpoint: `${http.origin}/introspect`, audience, ...client }),
  );
  const stream = await endpoint.listen({ authorization: 'Bearer t' });
  expect(stream.status).toBe(200);
  await endpoint.verified(3);
  isActive = false;
  await text(stream.body!);
});
