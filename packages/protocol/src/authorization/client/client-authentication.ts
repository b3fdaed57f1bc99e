import { Buffer } from 'node:buffer';
import { AuthorizationError } from '../authorization-error.ts';
import type { ClientAuthenticationMethod, OAuthClient } from './oauth-client.ts';
import { signJwt } from '../keys/jwt.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';

/** The headers and parameters by which a token request identifies its client. */
export interface ClientAuthentication {
  readonly headers: { readonly [name: string]: string };
  readonly parameters: { readonly [name: string]: string };
}

const assertionLifetimeSeconds = 60;
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Authenticates a client to a token endpoint: OAuth 2.1, section 2.4, and RFC 7523, section 2.2. */
export async function authenticateClient(
  client: OAuthClient,
  metadata: ServerMetadata,
): Promise<ClientAuthentication> {
  const { id, secret = '' } = client;
  switch (methodFor(client, metadata)) {
    case 'none':
      return { headers: {}, parameters: { client_id: id } };
    case 'client_secret_basic': {
      // A form's encoding (RFC 6749, section 2.3.1), with spaces as %20, which servers decode in either way.
      const credentials = Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
      return { headers: { authorization: `Basic ${credentials}` }, parameters: {} };
    }
    case 'client_secret_post':
      return { headers: {}, parameters: { client_id: id, client_secret: secret } };
    case 'private_key_jwt': {
      const assertion = await clientAssertion(client, metadata.issuer);
      return { headers: {}, parameters: { client_assertion_type: jwtBearer, client_assertion: assertion } };
    }
  }
}

/** The audience is the issuer, not the token endpoint, so that no other server can replay the assertion. */
async function clientAssertion({ id, privateKey }: OAuthClient, issuer: string): Promise<string> {
  if (!privateKey)
    throw new AuthorizationError('token', `The client "${id}" has no private key for private_key_jwt`);
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: id, sub: id, aud: issuer, iat: now, exp: now + assertionLifetimeSeconds };
  return signJwt(privateKey, { typ: 'JWT' }, { ...claims, jti: crypto.randomUUID() });
}

function methodFor(
  { id, secret, privateKey, method }: OAuthClient,
  { issuer, tokenEndpointAuthMethods }: ServerMetadata,
): ClientAuthenticationMethod {
  if (method !== undefined) return method;
  if (privateKey) return 'private_key_jwt';
  if (secret === undefined) return 'none';
  // RFC 8414, section 2: without a list, the method is client_secret_basic.
  const supported = tokenEndpointAuthMethods ?? ['client_secret_basic'];
  const fitting = (['client_secret_basic', 'client_secret_post'] as const).find((each) =>
    supported.includes(each),
  );
  if (fitting) return fitting;
  throw new AuthorizationError(
    'token',
    `The authorization server "${issuer}" takes no secret from "${id}"; it supports ${supported.join(', ')}`,
  );
}
