import { messageOf } from '../../jsonrpc/error.ts';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { ClientAuthenticationMethod, OAuthClient } from '../client/oauth-client.ts';
import type { AuthorizationCodeGrant } from '../grant.ts';
import { post, type Requests } from '../requests/http-requests.ts';
import { secondsIn, stringIn } from '../requests/json-fields.ts';
import { successOf } from '../requests/oauth-reply.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';
import type { AuthorizationStore, ReportedStore } from '../store/store.ts';
import { isLoopback } from '../requests/url-rules.ts';

/**
 * The client to log in with, in the order of the specification: the one registered beforehand, the URL of its
 * metadata document, a stored registration for the same redirect URI, a new dynamic registration.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization/client-registration
 */
export async function clientForLogin(
  requests: Requests,
  { store, warn }: ReportedStore,
  metadata: ServerMetadata,
  { client, clientMetadataUrl, clientName = 'MCP client' }: AuthorizationCodeGrant,
  redirectUri: string,
): Promise<OAuthClient> {
  if (client) return client;
  const { issuer } = metadata;
  if (clientMetadataUrl !== undefined && metadata.acceptsClientIdUrls)
    return { id: clientMetadataUrl, method: 'none' };
  const stored = await storedClient(store, issuer);
  if (stored?.redirectUri === redirectUri) return stored.client;
  const registered = await register(requests, metadata, clientName, redirectUri);
  try {
    await store.set({ kind: 'registration', issuer }, { ...registered, redirectUri });
  } catch (error) {
    warn(`Cannot store the registration with "${issuer}": ${messageOf(error)}`);
  }
  return registered.client;
}

/** The stored dynamic registration with an issuer, unless its secret has expired. */
export async function storedClient(
  store: AuthorizationStore,
  issuer: string,
): Promise<{ readonly client: OAuthClient; readonly redirectUri: string } | undefined> {
  const value = await store.get({ kind: 'registration', issuer });
  if (!isObject(value) || !isObject(value['client'])) return undefined;
  const { client } = value;
  const [id, redirectUri] = [stringIn(client, 'id'), stringIn(value, 'redirectUri')];
  const [secret, method] = [stringIn(client, 'secret'), parseMethod(client['method'])];
  if (id === undefined || redirectUri === undefined || method === undefined) return undefined;
  if ((secondsIn(value, 'secretExpiresAt') ?? Number.POSITIVE_INFINITY) * 1000 < Date.now()) return undefined;
  return { client: { id, method, ...(secret !== undefined && { secret }) }, redirectUri };
}

/** Deletes a registration that the authorization server does not know any more. */
export async function forgetUnknownClient(
  error: unknown,
  { store, warn }: ReportedStore,
  issuer: string,
): Promise<void> {
  if (!(error instanceof AuthorizationError) || error.code !== 'invalid_client') return;
  try {
    await store.delete({ kind: 'registration', issuer });
  } catch (reason) {
    warn(`Cannot delete the registration with "${issuer}": ${messageOf(reason)}`);
  }
}

interface Registration extends JsonObject {
  readonly client: OAuthClient;
  /** In seconds since 1970. */
  readonly secretExpiresAt?: number;
}

/** Dynamic client registration: RFC 7591. */
async function register(
  requests: Requests,
  { issuer, registrationEndpoint, tokenEndpointAuthMethods }: ServerMetadata,
  clientName: string,
  redirectUri: string,
): Promise<Registration> {
  if (!registrationEndpoint) {
    throw new AuthorizationError(
      'registration',
      `The authorization server "${issuer}" registers no clients; register one there and give its id as client`,
    );
  }
  const requested = methodToRequest(tokenEndpointAuthMethods);
  const reply = await post(requests, 'registration', registrationEndpoint, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: requested,
      application_type: isLoopback(new URL(redirectUri).hostname) ? 'native' : 'web',
    }),
  });
  const json = successOf(reply, 'registration', registrationEndpoint, []);
  const [id, secret] = [stringIn(json, 'client_id'), stringIn(json, 'client_secret')];
  if (id === undefined)
    throw new AuthorizationError(
      'registration',
      `The authorization server "${issuer}" returned no client_id`,
    );
  const method = parseMethod(json['token_endpoint_auth_method']) ?? requested;
  const secretExpiresAt = secondsIn(json, 'client_secret_expires_at');
  return {
    client: secret === undefined || method === 'none' ? { id, method: 'none' } : { id, secret, method },
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  };
}

function methodToRequest(supported: readonly string[] = ['client_secret_basic']): ClientAuthenticationMethod {
  const methods = ['none', 'client_secret_basic', 'client_secret_post'] as const;
  return methods.find((method) => supported.includes(method)) ?? 'client_secret_basic';
}

function parseMethod(value: unknown): ClientAuthenticationMethod | undefined {
  const methods = ['none', 'client_secret_basic', 'client_secret_post'] as const;
  return methods.find((method) => method === value);
}
