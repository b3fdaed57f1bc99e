import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

// An authorization server of oidc-provider, for one resource. Usage: oauth-server.ts <resource> <public key
// as JWK>. Prints its issuer when it listens. Its pages accept any name.

const [resource = '', publicKey = '{}'] = process.argv.slice(2);
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'service',
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      jwks: { keys: [JSON.parse(publicKey) as { kty: 'EC' }] },
    },
  ],
  scopes: ['openid', 'offline_access', 'notes:read', 'notes:write'],
  enabledJWA: { dPoPSigningAlgValues: ['ES256'] },
  features: {
    registration: { enabled: true },
    clientCredentials: { enabled: true },
    dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo(_, indicator) {
        if (indicator !== resource) throw new Error(`Unknown resource: "${indicator}"`);
        return {
          scope: 'notes:read notes:write',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
        };
      },
    },
  },
  pkce: { required: () => true },
  rotateRefreshToken: true,
});

const answer = provider.callback();
server.on('request', (request, response) => void answer(request, response));
process.stdout.write(`${issuer}\n`);
