import type { Access } from './access.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { OAuthClient } from './client/oauth-client.ts';
import type { ServerMetadata } from './discovery/server-metadata.ts';
import { refreshTokens } from './grants/refresh.ts';
import { forgetUnknownClient, storedClient } from './login/registration.ts';
import type { CompleteOptions } from './options.ts';
import type { Requests } from './requests/http-requests.ts';

/**
 * Renews a token by its refresh token. Returns undefined if it has no refresh token, when its client
 * is not registered any more, or when the authorization server refuses; throws when the authorization
 * server cannot be reached.
 */
export async function refreshAccess(
  options: CompleteOptions,
  requests: Requests,
  metadata: ServerMetadata,
  { tokens, dpopKey }: Access,
): Promise<Access | undefined> {
  const { grant, store } = options;
  const { refreshToken, clientId } = tokens;
  if (refreshToken === undefined || clientId === undefined) return undefined;
  const client = await clientById(clientId);
  if (!client) return undefined;
  try {
    const renewed = await refreshTokens(requests, metadata, client, { ...tokens, refreshToken }, dpopKey);
    return { tokens: renewed, dpopKey, origin: 'refresh' };
  } catch (error) {
    if (!(error instanceof AuthorizationError) || error.code === undefined || error.transient) throw error;
    await forgetUnknownClient(error, options, metadata.issuer);
    return undefined;
  }

  async function clientById(id: string): Promise<OAuthClient | undefined> {
    const { client, clientMetadataUrl } = { client: undefined, clientMetadataUrl: undefined, ...grant };
    if (client) return client.id === id ? client : undefined;
    if (clientMetadataUrl === id) return { id, method: 'none' };
    const registered = await storedClient(store, metadata.issuer);
    return registered?.client.id === id ? registered.client : undefined;
  }
}
