import { AuthorizationError } from '../authorization-error.ts';
import { randomToken } from '../keys/encoding.ts';
import { createProofKey, type ProofKey } from '../keys/pkce.ts';
import type { Discovery } from '../discovery/discover.ts';

/** One login in progress, and the values that its response is compared with. */
export interface AuthorizationRequest {
  readonly url: URL;
  readonly proofKey: ProofKey;
  readonly state: string;
}

/**
 * The URL that a user logs in at. Throws unless the authorization server supports PKCE with S256.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization#authorization-flow-steps
 */
export async function createAuthorizationRequest(
  { resource, metadata, legacy }: Discovery,
  clientId: string,
  redirectUri: string,
  scopes: readonly string[] | undefined,
): Promise<AuthorizationRequest> {
  const { issuer, authorizationEndpoint, codeChallengeMethods } = metadata;
  if (!authorizationEndpoint)
    throw new AuthorizationError(
      'login',
      `The authorization server "${issuer}" has no authorization endpoint`,
    );
  // The first revision requires PKCE but does not have servers publish that they support it.
  if (!codeChallengeMethods?.includes('S256') && !(legacy && codeChallengeMethods === undefined))
    throw new AuthorizationError(
      'login',
      `The authorization server "${issuer}" does not support PKCE with S256`,
    );
  const proofKey = await createProofKey();
  const state = randomToken();
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: proofKey.challenge,
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scopes && { scope: scopes.join(' ') }),
    // OpenID Connect Core, section 11: offline access needs the user's consent.
    ...(scopes?.includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url, proofKey, state };
}
