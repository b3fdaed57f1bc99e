import { AuthorizationError } from '../authorization-error.ts';
import { createAuthorizationRequest } from '../login/authorization-request.ts';
import { readAuthorizationResponse } from '../login/authorization-response.ts';
import { authenticateClient } from '../client/client-authentication.ts';
import type { OAuthClient } from '../client/oauth-client.ts';
import type { AuthorizationCodeGrant, TokenPurpose } from '../grant.ts';
import { clientForLogin } from '../login/registration.ts';
import type { ReportedStore } from '../store/store.ts';
import { requestToken } from '../tokens/token-request.ts';
import { type IssuedTokens, tokensOf } from '../tokens/tokens.ts';
import { isLoopback } from '../requests/url-rules.ts';

/** Has the user log in, and exchanges the code that comes back. */
export async function logIn(
  purpose: TokenPurpose,
  grant: AuthorizationCodeGrant,
  options: ReportedStore,
): Promise<{ readonly client: OAuthClient; readonly issued: IssuedTokens }> {
  const { requests, discovery, scopes, dpopKey } = purpose;
  const ended = new AbortController();
  const { abandoned = ended.signal } = requests;
  const signal = AbortSignal.any([requests.signal, abandoned, ended.signal]);
  try {
    const uri = typeof grant.redirectUri === 'string' ? grant.redirectUri : await grant.redirectUri(signal);
    const redirectUri = permittedRedirectUri(uri);
    const { metadata } = discovery;
    const client = await clientForLogin(requests, options, metadata, grant, redirectUri);
    const { url, proofKey, state } = await createAuthorizationRequest(
      discovery,
      client.id,
      redirectUri,
      scopes,
    );
    signal.throwIfAborted();
    const callback = await grant.redirect(url, signal);
    const code = readAuthorizationResponse(callback, state, metadata);
    const parameters = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: proofKey.verifier,
      resource: discovery.resource,
    };
    const credentials = await authenticateClient(client, metadata);
    const json = await requestToken(requests, metadata, credentials, parameters, dpopKey);
    return { client, issued: tokensOf(json, metadata) };
  } finally {
    ended.abort();
  }
}

function permittedRedirectUri(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return text;
  throw new AuthorizationError(
    'login',
    `Invalid redirect URI: "${text}"; expected HTTPS or a loopback address`,
  );
}
