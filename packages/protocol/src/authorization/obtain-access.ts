import type { Access } from './access.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { Challenge } from './discovery/challenge.ts';
import type { OAuthClient } from './client/oauth-client.ts';
import type { Discovery } from './discovery/discover.ts';
import { DpopKey, dpopAlgorithm } from './keys/dpop.ts';
import type { TokenPurpose } from './grant.ts';
import { logIn } from './grants/authorization-code.ts';
import { requestClientCredentials } from './grants/client-credentials.ts';
import { requestEnterpriseToken } from './grants/enterprise.ts';
import { exchangeAssertion } from './grants/jwt-bearer.ts';
import type { Requests } from './requests/http-requests.ts';
import type { CompleteOptions } from './options.ts';
import { forgetUnknownClient } from './login/registration.ts';
import type { KnownIssuer } from './store/saved-access.ts';
import { selectScopes } from './discovery/scopes.ts';
import type { ServerMetadata } from './discovery/server-metadata.ts';
import type { IssuedTokens } from './tokens/tokens.ts';

/** Obtains a token by the configured grant, for the scopes of the challenge and those requested before. */
export async function obtainAccess(
  options: CompleteOptions,
  requests: Requests,
  discovery: Discovery,
  challenge: Challenge,
  previous: Access | undefined,
): Promise<Access> {
  const { metadata, resource } = discovery;
  const selected = selectScopes(challenge, discovery, previous?.tokens.requestedScopes);
  const scopes = withOfflineAccess(options, metadata, selected);
  const dpopKey = await dpopKeyFor(options, discovery);
  const { client, issued } = await runGrant(options, { requests, discovery, scopes, dpopKey });
  checkType(options, issued, dpopKey);
  const tokens = {
    // OAuth 2.1, section 3.2.3: without a scope, the token has those requested.
    ...(scopes && { scopes, requestedScopes: scopes }),
    ...issued,
    issuer: metadata.issuer,
    resource,
    ...(client && { clientId: client.id }),
    ...(dpopKey && issued.type === 'DPoP' && { dpopKey: dpopKey.privateKey }),
  };
  return { tokens, dpopKey, origin: 'grant' };
}

/** Throws when a client that was registered with one authorization server is about to be sent to another. */
export function checkIssuer(
  { grant }: CompleteOptions,
  { metadata: { issuer } }: Discovery,
  known: KnownIssuer | undefined,
): void {
  const { client } = { client: undefined, ...grant };
  if (!client) return;
  const expected = client.issuer ?? (known?.clientId === client.id ? known.issuer : undefined);
  if (expected === undefined || expected === issuer) return;
  throw new AuthorizationError(
    'registration',
    `The client "${client.id}" is registered with "${expected}", but the server names "${issuer}"`,
  );
}

async function runGrant(
  options: CompleteOptions,
  purpose: TokenPurpose,
): Promise<{ readonly client?: OAuthClient; readonly issued: IssuedTokens }> {
  const { grant } = options;
  switch (grant.type) {
    case 'authorization_code':
      try {
        return await logIn(purpose, grant, options);
      } catch (error) {
        await forgetUnknownClient(error, options, purpose.discovery.metadata.issuer);
        throw error;
      }
    case 'client_credentials':
      return { client: grant.client, issued: await requestClientCredentials(purpose, grant.client) };
    case 'enterprise':
      return { client: grant.client, issued: await requestEnterpriseToken(purpose, grant) };
    case 'jwt_bearer': {
      const { client, assertion } = grant;
      const { issuer } = purpose.discovery.metadata;
      const text = typeof assertion === 'string' ? assertion : await assertion({ issuer });
      const issued = await exchangeAssertion(purpose, client, text);
      return { ...(client && { client }), issued };
    }
  }
}

/** The scope that brings a refresh token; requested only where the authorization server lists it. */
const offlineAccess = 'offline_access';

function withOfflineAccess(
  { grant }: CompleteOptions,
  { scopesSupported }: ServerMetadata,
  scopes: readonly string[] | undefined,
): readonly string[] | undefined {
  const offered = grant.type === 'authorization_code' && scopesSupported?.includes(offlineAccess);
  const others = scopes?.filter((scope) => scope !== offlineAccess) ?? [];
  // Alone it would take the place of the scopes that the authorization server grants by default.
  if (others.length === 0) return undefined;
  return offered ? [...others, offlineAccess] : others;
}

async function dpopKeyFor(
  { dpop }: CompleteOptions,
  { metadata: { issuer, dpopAlgorithms = [] }, requiresDpop }: Discovery,
): Promise<DpopKey | undefined> {
  if (!(dpop ?? requiresDpop)) return undefined;
  if (dpopAlgorithms.includes(dpopAlgorithm)) return DpopKey.generate();
  throw new AuthorizationError(
    'discovery',
    `The authorization server "${issuer}" does not support DPoP with ES256`,
  );
}

function checkType({ dpop }: CompleteOptions, { type }: IssuedTokens, dpopKey: DpopKey | undefined): void {
  if (type === 'DPoP' && !dpopKey)
    throw new AuthorizationError('token', 'The authorization server returned a DPoP token without a proof');
  if (type === 'Bearer' && dpopKey && dpop)
    throw new AuthorizationError('token', 'The authorization server did not bind the token to the DPoP key');
}
