import { Buffer } from 'node:buffer';
import { type ClientAuth, ClientSecretPost, modifyAssertion, None, PrivateKeyJwt } from 'oauth4webapi';
import { AuthorizationError } from '../authorization-error.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';
import type { ClientAuthenticationMethod, OAuthClient } from '../grant.ts';
import { importSigningKey } from './signing-key.ts';

/** Returns the function that authenticates a client (OAuth 2.1, section 2.4; RFC 7523, section 2.2). */
export async function clientAuthentication(
  client: OAuthClient,
  metadata: ServerMetadata,
): Promise<ClientAuth> {
  const { id, secret = '', privateKey } = client;
  switch (methodFor(client, metadata)) {
    case 'none':
      return None();
    case 'client_secret_post':
      return ClientSecretPost(secret);
    case 'client_secret_basic': {
      // Does not use `ClientSecretBasic` of oauth4webapi, which also encodes characters such as "-" that some
      // servers do not decode.
      const credentials = Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
      return (_as, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`);
    }
    case 'private_key_jwt': {
      if (!privateKey)
        throw new AuthorizationError('token', `The client "${id}" has no private key for private_key_jwt`);
      const key = await importSigningKey(privateKey);
      return PrivateKeyJwt(privateKey.id === undefined ? key : { key, kid: privateKey.id }, {
        [modifyAssertion](header, claims) {
          header['typ'] = 'JWT';
          // Removes the claim `nbf` (not before): a server whose clock is behind would refuse the assertion.
          delete claims['nbf'];
        },
      });
    }
  }
}

function methodFor(
  { id, secret, privateKey, method }: OAuthClient,
  { issuer, token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] }: ServerMetadata,
): ClientAuthenticationMethod {
  if (method !== undefined) return method;
  if (privateKey) return 'private_key_jwt';
  if (secret === undefined) return 'none';
  const fitting = (['client_secret_basic', 'client_secret_post'] as const).find((each) =>
    supported.includes(each),
  );
  if (fitting) return fitting;
  throw new AuthorizationError(
    'token',
    `The authorization server "${issuer}" takes no secret from the client "${id}"; the authentication methods of the server are ${supported.join(', ')}`,
  );
}
