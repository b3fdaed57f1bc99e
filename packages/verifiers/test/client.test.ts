import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withOAuth } from '@mcp/authorization';
import { Client, serverAt } from '@mcp/protocol/client';
import { httpHandler } from '@mcp/protocol/http';
import type { Received } from '@mcp/test-kit/http-server';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { jwtVerifier } from '@mcp/verifiers';
import { server } from './endpoint.ts';
import { Issuer } from './issuer.ts';

/** An issuer that gives tokens to the client `robot`, bound to a key where the client proves one. */
async function startIssuer(lifetime: number): Promise<Issuer> {
  const issuer = await Issuer.start();
  const { routes } = issuer.http;
  routes['/.well-known/oauth-authorization-server'] = () => ({
    json: {
      issuer: issuer.issuer,
      jwks_uri: `${issuer.issuer}/keys`,
      token_endpoint: `${issuer.issuer}/token`,
      dpop_signing_alg_values_supported: ['ES256'],
    },
  });
  routes['/token'] = async ({ headers, body }: Received) => {
    const form = new URLSearchParams(body);
    const proof = headers['dpop'];
    const verified = proof === undefined ? undefined : await jwtVerify(String(proof), EmbeddedJWK);
    const jkt = verified && (await calculateJwkThumbprint(verified.protectedHeader.jwk!));
    const token = await issuer.token({
      sub: 'robot',
      aud: form.get('resource'),
      scope: form.get('scope') ?? '',
      exp: Math.floor(Date.now() / 1000) + lifetime,
      ...(jkt !== undefined && { cnf: { jkt } }),
    });
    return { json: { access_token: token, token_type: jkt ? 'DPoP' : 'Bearer', expires_in: lifetime } };
  };
  return issuer;
}

/** An endpoint that takes the issuer's tokens for its own address. */
async function startEndpoint(issuer: Issuer, dpop: 'optional' | 'required' | undefined) {
  const http = createServer((request, response) => handler.node(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const resource = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const verify = jwtVerifier({ issuer: issuer.issuer, audience: resource, ...(dpop && { dpop }) });
  const metadata = { resource, authorizationServers: [issuer.issuer] } as const;
  const handler = httpHandler(server, { authorization: { verify, metadata } });
  return {
    resource,
    async [Symbol.asyncDispose]() {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

describe.each(['2025-11-25', '2026-07-28'])('a client of %s', (revision) => {
  test.each([undefined, 'optional', 'required'] as const)(
    'logs in and calls, with dpop: %s',
    async (dpop) => {
      await using issuer = await startIssuer(600);
      await using endpoint = await startEndpoint(issuer, dpop);
      const schemes = new Set<string | undefined>();
      const authorize = withOAuth({
        grant: { type: 'client_credentials', client: { id: 'robot', secret: 'a secret' } },
      });
      const connector = serverAt(endpoint.resource, {
        authorize,
        fetch(request) {
          schemes.add(request.headers.get('authorization')?.split(' ')[0]);
          return fetch(request);
        },
      });
      await using client = await Client.connect(connector, { revision });
      for (let call = 0; call < 3; call++) {
        const [block] = (await client.callTool('whoami')).content;
        expect(JSON.parse((block as { text: string }).text)).toMatchObject({ principal: 'robot' });
      }
      // A call that needs a scope obtains another token.
      expect((await client.callTool('write')).content).toEqual([{ type: 'text', text: 'Written' }]);
      expect(schemes).toContain(dpop === 'required' ? 'DPoP' : 'Bearer');
    },
  );
});
