import type { Client } from '../clients/client.ts';
import { isRegistered, parseRedirectUri } from '../clients/redirect-uri.ts';
import type { LoginContext } from './login-context.ts';
import { OAuthError } from './oauth-error.ts';
import { checkResource, needed, type Parameters } from './parameters.ts';

/** An authorization request that is valid, as far as the user must see it. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
}

/** The parameters that the page for the user sends again with the passphrase. */
export const requestNames = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'resource',
  'code_challenge',
  'code_challenge_method',
] as const;

const maxStateLength = 4_096;

/** Checks an authorization request of a client. The text of an error is for the user. */
export function checkRequest(
  parameters: Parameters,
  client: Client,
  { resource, scopes }: Pick<LoginContext, 'resource' | 'scopes'>,
): AuthorizationRequest {
  const redirectUri = needed(parameters, 'redirect_uri');
  if (!parseRedirectUri(redirectUri) || !isRegistered(redirectUri, client.redirectUris))
    throw new OAuthError('invalid_request', 'The redirect_uri is not one that the client has registered');
  if (needed(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'Invalid response_type; expected code');
  if (parameters.get('code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'Invalid code_challenge_method; expected S256');
  const challenge = needed(parameters, 'code_challenge');
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'Invalid code_challenge; expected 43 characters of base64url');
  const mode = parameters.get('response_mode') ?? 'query';
  if (mode !== 'query') throw new OAuthError('invalid_request', 'Invalid response_mode; expected query');
  checkResource(parameters, resource);
  const state = parameters.get('state');
  if (state !== undefined && state.length > maxStateLength)
    throw new OAuthError('invalid_request', `The state has more than ${maxStateLength} characters`);
  return { client, redirectUri, challenge, scopes: grantable(parameters.get('scope'), scopes), state };
}

/**
 * The requested scopes that the server has. A request that names none of them asks for all: the user sees on
 * the page what he grants.
 */
function grantable(scope = '', known: readonly string[]): string[] {
  const requested = new Set(scope.split(' '));
  const named = known.filter((each) => requested.has(each));
  const offline = requested.has('offline_access') ? ['offline_access'] : [];
  return [...(named.length > 0 ? named : known), ...offline];
}

/** The URL that brings an answer to the client, with the issuer (RFC 9207). */
export function responseUrl(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: { readonly code: string } | { readonly error: string },
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`;
}
