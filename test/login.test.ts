import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import {
  type AuthorizationOptions,
  type Grant,
  loopbackRedirect,
  memoryTokenStore,
  withOAuth,
} from '@mcp/authorization';
import { Client, HttpChannel } from '@mcp/protocol/client';
import { httpHandler, type HttpHandler } from '@mcp/protocol/http';
import { browse } from './browser.ts';
import type { VerifyToken } from './official/access-tokens.ts';

// A server of this repository, an authorization server of oidc-provider in a process of its
// own, and real redirects.

let url: string;
let issuer: string;
let http: Server;
let handler: HttpHandler;
let authorizationServer: ChildProcess;
let verifyToken: VerifyToken;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The claims of the tokens that the server has seen, in the order of the requests. */
const presented: object[] = [];
const schemes: string[] = [];

function server() {
  const greet = defineTool({ name: 'greet', description: 'Greets.', run: () => 'Hello' });
  return defineServer({ name: 'greeter', version: '1.0.0', tools: [greet] });
}

function authorizationOf(authorizationUrl: string) {
  return {
    async verify(token: string) {
      const payload = await verifyToken(token);
      presented.push(payload);
      return { principal: payload.sub ?? '', scopes: String(payload['scope']).split(' ') };
    },
    requiredScopes: ['notes:read'],
    metadata: {
      resource: url,
      authorizationServers: [authorizationUrl] as const,
      scopesSupported: ['notes:read'],
    },
  };
}

/** The server accepts Bearer tokens; a DPoP token is accepted as one when its proof is valid. */
async function unwrapDpop(request: IncomingMessage): Promise<void> {
  const [scheme = '', token = ''] = request.headers.authorization?.split(' ') ?? [];
  if (scheme !== '') schemes.push(scheme);
  if (scheme !== 'DPoP') return;
  const { verifyProof } = await import('./official/access-tokens.ts');
  await verifyProof(request, url, token);
  request.headers.authorization = `Bearer ${token}`;
}

const opened: URL[] = [];
const login = (): Grant => ({
  type: 'authorization_code',
  clientName: 'Tests',
  ...loopbackRedirect({
    open: (page) => {
      opened.push(page);
      return browse(page);
    },
  }),
});

async function greet(options: AuthorizationOptions): Promise<unknown> {
  const client = await Client.connect(new HttpChannel(url, { authorize: withOAuth(options) }));
  try {
    return (await client.callTool('greet')).content;
  } finally {
    await client.close();
  }
}

const hello = [{ type: 'text', text: 'Hello' }];

describe.skipIf(!inject('official'))('at an authorization server of oidc-provider', () => {
  beforeAll(async () => {
    http = createServer((request, response) => {
      void unwrapDpop(request).then(
        () => handler.node(request, response),
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const key = JSON.stringify(publicKey.export({ format: 'jwk' }));
    authorizationServer = spawn(process.execPath, ['official/oauth-server.ts', url, key], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: authorizationServer.stdout ?? process.stdin });
    for await (issuer of lines) break;
    const { tokensOf } = await import('./official/access-tokens.ts');
    verifyToken = tokensOf(issuer, url);
    handler = httpHandler(server(), { authorization: authorizationOf(issuer) });
  });

  afterAll(async () => {
    authorizationServer.kill();
    await handler.close();
    http.closeAllConnections();
    http.close();
  });

  test('a user logs in once, and the next run refreshes the token', async () => {
    const store = memoryTokenStore();
    expect(await greet({ grant: login(), store })).toEqual(hello);
    expect(presented.at(-1)).toMatchObject({ sub: 'alice', aud: url, iss: issuer });
    expect(opened).toHaveLength(1);
    expect(opened[0]?.searchParams.get('scope')).toBe('notes:read offline_access');
    const key = { kind: 'tokens', issuer, resource: url } as const;
    const tokens = (await store.get(key)) as { [name: string]: unknown };
    await store.set(key, { ...tokens, expiresAt: Date.now() });
    expect(await greet({ grant: login(), store })).toEqual(hello);
    expect(opened).toHaveLength(1);
    const renewed = (await store.get(key)) as { [name: string]: unknown };
    expect(renewed['accessToken']).not.toBe(tokens['accessToken']);
    expect(renewed['refreshToken']).not.toBe(tokens['refreshToken']);
  });

  test('a user logs in and gets a token that is bound to a key', async () => {
    schemes.length = 0;
    expect(await greet({ grant: login(), dpop: true })).toEqual(hello);
    expect(new Set(schemes)).toEqual(new Set(['DPoP']));
  });

  test('a client signs an assertion with its private key', async () => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const client = { id: 'service', privateKey: { key: pem, algorithm: 'ES256' } } as const;
    expect(await greet({ grant: { type: 'client_credentials', client } })).toEqual(hello);
    expect(presented.at(-1)).toMatchObject({ client_id: 'service', aud: url, iss: issuer });
  });
});
