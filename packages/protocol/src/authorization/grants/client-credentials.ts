import { authenticateClient } from '../client/client-authentication.ts';
import type { OAuthClient } from '../client/oauth-client.ts';
import type { TokenPurpose } from '../grant.ts';
import { requestToken } from '../tokens/token-request.ts';
import { type IssuedTokens, tokensOf } from '../tokens/tokens.ts';

/** Requests a token for the client itself. */
export async function requestClientCredentials(
  { requests, discovery: { resource, metadata }, scopes, dpopKey }: TokenPurpose,
  client: OAuthClient,
): Promise<IssuedTokens> {
  const parameters = { grant_type: 'client_credentials', resource, scope: scopes?.join(' ') };
  const credentials = await authenticateClient(client, metadata);
  return tokensOf(await requestToken(requests, metadata, credentials, parameters, dpopKey), metadata);
}
