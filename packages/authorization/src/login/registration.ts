import { isObject } from '@mcp/kit';
import { AuthorizationError } from '../authorization-error.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';
import type { AuthorizationCodeGrant, ClientAuthenticationMethod, OAuthClient } from '../grant.ts';
import { post, type Requests } from '../requests/http-requests.ts';
import { type JsonObject, secondsIn, stringIn } from '../requests/json-fields.ts';
import { successOf } from '../requests/oauth-reply.ts';
import { isLoopback } from '../requests/url-rules.ts';
import { changeStore, type ReportedStore, type TokenStore } from '../store/token-store.ts';

/**
 * Returns the client to log in with. The specification gives the order; the first of these that exists is
 * used: the client that was registered beforehand, the URL of the client's metadata document, a stored
 * registration for the same redirect URI, a new dynamic registration.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization/client-registration
 */
export async function clientForLogin(
  requests: Requests,
  saved: ReportedStore,
  metadata: ServerMetadata,
  { client, clientMetadataUrl, clientName = 'MCP client' }: AuthorizationCodeGrant,
  redirectUri: string,
): Promise<OAuthClient> {
  if (client) return client;
  const { issuer } = metadata;
  if (clientMetadataUrl !== undefined && metadata['client_id_metadata_document_supported'] === true)
    return { id: clientMetadataUrl, method: 'none' };
  const stored = await storedClient(saved.store, issuer);
  if (stored?.redirectUri === redirectUri) return stored.client;
  const registered = await register(requests, metadata, clientName, redirectUri);
  await changeStore(saved, `store the client registration with "${issuer}"`, (store) =>
    store.set({ kind: 'registration', issuer }, { ...registered, redirectUri }),
  );
  return registered.client;
}

/**
 * The stored client that was registered dynamically with an issuer; undefined if there is none or its secret
 * has expired.
 */
export async function storedClient(
  store: TokenStore,
  issuer: string,
): Promise<{ readonly client: OAuthClient; readonly redirectUri: string } | undefined> {
  const value = await store.get({ kind: 'registration', issuer });
  if (!isObject(value) || !isObject(value['client'])) return undefined;
  const { client } = value;
  const [id, redirectUri] = [stringIn(client, 'id'), stringIn(value, 'redirectUri')];
  const [secret, method] = [stringIn(client, 'secret'), parseMethod(client['method'])];
  if (id === undefined || redirectUri === undefined || method === undefined) return undefined;
  if ((secondsIn(value, 'secretExpiresAt') ?? Infinity) * 1000 < Date.now()) return undefined;
  return { client: { id, method, ...(secret !== undefined && { secret }) }, redirectUri };
}

/**
 * Deletes the stored registration if the error says that the authorization server does not know the client.
 */
export async function forgetUnknownClient(
  error: unknown,
  saved: ReportedStore,
  issuer: string,
): Promise<void> {
  if (!(error instanceof AuthorizationError) || error.code !== 'invalid_client') return;
  await changeStore(saved, `delete the client registration with "${issuer}"`, (store) =>
    store.delete({ kind: 'registration', issuer }),
  );
}

interface Registration extends JsonObject {
  readonly client: OAuthClient;
  /** When the client secret expires, in seconds since 1970. */
  readonly secretExpiresAt: number | undefined;
}

/** Registers a client dynamically: RFC 7591. */
async function register(
  requests: Requests,
  {
    issuer,
    registration_endpoint: endpoint,
    token_endpoint_auth_methods_supported: supported,
  }: ServerMetadata,
  clientName: string,
  redirectUri: string,
): Promise<Registration> {
  const refuse = (reason: string): never => {
    throw new AuthorizationError('registration', `The authorization server "${issuer}" ${reason}`);
  };
  const url = new URL(
    endpoint ??
      refuse('does not register clients dynamically; register one there and pass its id as "client"'),
  );
  const requested = methods.find((each) => (supported ?? []).includes(each)) ?? 'client_secret_basic';
  const reply = await post(requests, 'registration', url, {
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
  const json = successOf(reply, 'registration', url);
  const [id, secret] = [
    stringIn(json, 'client_id') ?? refuse('returned no client_id'),
    stringIn(json, 'client_secret'),
  ];
  const method = parseMethod(json['token_endpoint_auth_method']) ?? requested;
  const client =
    secret === undefined || method === 'none' ? ({ id, method: 'none' } as const) : { id, secret, method };
  return { client, secretExpiresAt: secondsIn(json, 'client_secret_expires_at') };
}

/**
 * The authentication methods to request, the preferred one first: with `none`, there is no secret to store.
 */
const methods = ['none', 'client_secret_basic', 'client_secret_post'] as const;

function parseMethod(value: unknown): ClientAuthenticationMethod | undefined {
  return methods.find((method) => method === value);
}
