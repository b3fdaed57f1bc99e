import { authenticateClient } from '../client/client-authentication.ts';
import type { OAuthClient } from '../client/oauth-client.ts';
import type { DpopKey } from '../keys/dpop.ts';
import type { Requests } from '../requests/http-requests.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';
import { requestToken } from '../tokens/token-request.ts';
import { type Tokens, tokensOf } from '../tokens/tokens.ts';

/**
 * Renews tokens by their refresh token: OAuth 2.1, section 4.3. Values that the response omits stay the same.
 */
export async function refreshTokens(
  requests: Requests,
  metadata: ServerMetadata,
  client: OAuthClient,
  tokens: Tokens & { readonly refreshToken: string },
  dpopKey: DpopKey | undefined,
): Promise<Tokens> {
  const { refreshToken, resource } = tokens;
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
  const credentials = await authenticateClient(client, metadata);
  const json = await requestToken(requests, metadata, credentials, parameters, dpopKey);
  const { expiresAt: _, ...kept } = tokens;
  return { ...kept, ...tokensOf(json, metadata) };
}
