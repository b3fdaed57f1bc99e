import type { Access } from './access.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { Challenge } from './discovery/challenge.ts';
import type { Discovery } from './discovery/discover.ts';
import { selectScopes } from './discovery/scopes.ts';
import { findServerMetadata, type ServerMetadata } from './discovery/server-metadata.ts';
import type { EnterpriseGrant, OAuthClient } from './grant.ts';
import { logIn } from './login/log-in.ts';
import { forgetUnknownClient, storedClient } from './login/registration.ts';
import type { CompleteOptions } from './options.ts';
import type { Requests } from './requests/http-requests.ts';
import { stringIn } from './requests/json-fields.ts';
import { DpopKey, dpopAlgorithm } from './tokens/dpop-key.ts';
import { requestToken, type TokenParameters } from './tokens/token-request.ts';
import { tokensOf } from './tokens/tokens.ts';

// Import this module dynamically: it is needed only to obtain a new token, and most runs have a valid one.

/**
 * Obtains a token by the configured grant, for the scopes of the challenge and all scopes requested before.
 */
export async function obtainAccess(
  options: CompleteOptions,
  requests: Requests,
  discovery: Discovery,
  challenge: Challenge,
  previous: Access | undefined,
): Promise<Access> {
  const { metadata, resource } = discovery;
  const isLogin = options.grant.type === 'authorization_code';
  const scopes = selectScopes(challenge, discovery, isLogin, previous?.tokens.requestedScopes);
  const dpopKey = await dpopKeyFor(options, discovery);
  try {
    const { client, parameters } = await presentGrant(options, requests, discovery, scopes);
    const json = await requestToken(requests, metadata, client, { ...parameters, resource }, dpopKey);
    const issued = tokensOf(json, metadata.issuer);
    checkType(options, issued.type, dpopKey);
    const tokens = {
      ...issued,
      // OAuth 2.1, section 3.2.3: a response without a scope means that the requested scopes were granted.
      scopes: issued.scopes ?? scopes,
      requestedScopes: scopes,
      issuer: metadata.issuer,
      resource,
      clientId: client?.id,
      dpopKey: issued.type === 'DPoP' ? dpopKey?.privateKey : undefined,
    };
    return { tokens, dpopKey, origin: 'grant' };
  } catch (error) {
    if (isLogin) await forgetUnknownClient(error, options, metadata.issuer);
    throw error;
  }
}

/**
 * Renews a token by its refresh token: OAuth 2.1, section 4.3. Returns undefined if the token has no refresh
 * token, if the token's client is not registered any more, or if the authorization server refuses the refresh
 * token. Throws if the authorization server cannot be reached or has a temporary failure.
 */
export async function refreshAccess(
  options: CompleteOptions,
  requests: Requests,
  metadata: ServerMetadata,
  { tokens, dpopKey }: Access,
): Promise<Access | undefined> {
  const { refreshToken, resource } = tokens;
  const client = await clientOf(options, tokens.clientId, metadata.issuer);
  if (refreshToken === undefined || !client) return undefined;
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
  try {
    const json = await requestToken(requests, metadata, client, parameters, dpopKey);
    const issued = tokensOf(json, metadata.issuer);
    const kept = {
      refreshToken: issued.refreshToken ?? refreshToken,
      scopes: issued.scopes ?? tokens.scopes,
    };
    return { tokens: { ...tokens, ...issued, ...kept }, dpopKey, origin: 'refresh' };
  } catch (error) {
    if (!(error instanceof AuthorizationError) || error.code === undefined || error.transient) throw error;
    await forgetUnknownClient(error, options, metadata.issuer);
    return undefined;
  }
}

/**
 * The client that a token was issued to, if it is still configured or dynamically registered; otherwise
 * undefined.
 */
async function clientOf(
  { grant, store }: CompleteOptions,
  id: string | undefined,
  issuer: string,
): Promise<OAuthClient | undefined> {
  if (grant.client) return grant.client.id === id ? grant.client : undefined;
  if (grant.type === 'authorization_code' && id !== undefined && grant.clientMetadataUrl === id)
    return { id, method: 'none' };
  const registered = await storedClient(store, issuer);
  return registered?.client.id === id ? registered?.client : undefined;
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Returns the client and the parameters of a token request. For the grant `authorization_code`, lets the user
 * log in first.
 */
async function presentGrant(
  options: CompleteOptions,
  requests: Requests,
  discovery: Discovery,
  scopes: readonly string[] | undefined,
): Promise<{ readonly client: OAuthClient | undefined; readonly parameters: TokenParameters }> {
  const { grant } = options;
  const scope = scopes?.join(' ');
  switch (grant.type) {
    case 'authorization_code':
      return logIn(requests, discovery, scopes, grant, options);
    case 'client_credentials':
      return { client: grant.client, parameters: { grant_type: 'client_credentials', scope } };
    case 'enterprise': {
      const assertion = await identityAssertion(requests, discovery, scope, grant.identityProvider);
      return { client: grant.client, parameters: { grant_type: jwtBearer, assertion, scope } };
    }
    case 'jwt_bearer': {
      const { client, assertion: given } = grant;
      const { issuer } = discovery.metadata;
      const assertion = typeof given === 'string' ? given : await given({ issuer });
      return { client, parameters: { grant_type: jwtBearer, assertion, scope } };
    }
  }
}

const tokenType = 'urn:ietf:params:oauth:token-type:';

/**
 * Exchanges the user's identity assertion at the identity provider for an authorization grant (ID-JAG).
 * @see https://github.com/modelcontextprotocol/ext-auth enterprise-managed-authorization
 */
async function identityAssertion(
  requests: Requests,
  { metadata: { issuer: audience }, resource }: Discovery,
  scope: string | undefined,
  {
    issuer,
    client,
    subjectToken,
    subjectTokenType = `${tokenType}id_token`,
  }: EnterpriseGrant['identityProvider'],
): Promise<string> {
  // Checks URLs as if the identity provider were the MCP server. The identity provider may be in a private
  // network even if the MCP server is public: its URL comes from the user's configuration, not from the
  // network.
  const own = { ...requests, rules: { ...requests.rules, server: new URL(issuer) } };
  const metadata = await findServerMetadata(own, issuer);
  if (!metadata)
    throw new AuthorizationError(
      'discovery',
      `The identity provider "${issuer}" has no metadata at its well-known URLs`,
    );
  const json = await requestToken(own, metadata, client, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: `${tokenType}id-jag`,
    audience,
    resource,
    scope,
    subject_token: typeof subjectToken === 'string' ? subjectToken : await subjectToken(),
    subject_token_type: subjectTokenType,
  });
  const assertion = stringIn(json, 'access_token');
  if (assertion !== undefined && json['issued_token_type'] === `${tokenType}id-jag`) return assertion;
  throw new AuthorizationError(
    'token',
    `The identity provider "${issuer}" returned no Identity Assertion JWT Authorization Grant (ID-JAG)`,
  );
}

async function dpopKeyFor(
  { dpop }: CompleteOptions,
  { metadata, requiresDpop }: Discovery,
): Promise<DpopKey | undefined> {
  if (!(dpop ?? requiresDpop)) return undefined;
  if (metadata.dpop_signing_alg_values_supported?.includes(dpopAlgorithm)) return DpopKey.generate();
  const message = `The authorization server "${metadata.issuer}" does not support DPoP with ${dpopAlgorithm}`;
  throw new AuthorizationError('discovery', message);
}

function checkType({ dpop }: CompleteOptions, type: 'Bearer' | 'DPoP', dpopKey: DpopKey | undefined): void {
  if (type === 'DPoP' && !dpopKey)
    throw new AuthorizationError(
      'token',
      'The authorization server returned a DPoP token for a request without a DPoP proof',
    );
  if (type === 'Bearer' && dpopKey && dpop)
    throw new AuthorizationError('token', 'The authorization server did not bind the token to the DPoP key');
}
