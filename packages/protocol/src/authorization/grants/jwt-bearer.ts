import { authenticateClient } from '../client/client-authentication.ts';
import type { OAuthClient } from '../client/oauth-client.ts';
import type { TokenPurpose } from '../grant.ts';
import { requestToken } from '../tokens/token-request.ts';
import { type IssuedTokens, tokensOf } from '../tokens/tokens.ts';

/**
 * Exchanges an assertion for an access token: RFC 7523, section 2.1. Without a client,
 * the assertion alone counts.
 */
export async function exchangeAssertion(
  { requests, discovery: { resource, metadata }, scopes, dpopKey }: TokenPurpose,
  client: OAuthClient | undefined,
  assertion: string,
): Promise<IssuedTokens> {
  const parameters = {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
    resource,
    scope: scopes?.join(' '),
  };
  const credentials = client ? await authenticateClient(client, metadata) : { headers: {}, parameters: {} };
  return tokensOf(await requestToken(requests, metadata, credentials, parameters, dpopKey), metadata);
}
