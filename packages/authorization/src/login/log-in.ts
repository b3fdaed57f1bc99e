import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi';
import { AuthorizationError } from '../authorization-error.ts';
import type { Discovery } from '../discovery/discover.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';
import type { AuthorizationCodeGrant, OAuthClient } from '../grant.ts';
import type { Requests } from '../requests/http-requests.ts';
import { shownText } from '../requests/oauth-reply.ts';
import { isLoopback } from '../requests/url-rules.ts';
import type { ReportedStore } from '../store/token-store.ts';
import type { TokenParameters } from '../tokens/token-request.ts';
import { clientForLogin } from './registration.ts';

/**
 * Lets the user log in. Returns the client, and the parameters of the token request that must follow, such as
 * the authorization code. Throws unless the authorization server supports PKCE with S256.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization#authorization-flow-steps
 */
export async function logIn(
  requests: Requests,
  { metadata, resource }: Discovery,
  scopes: readonly string[] | undefined,
  grant: AuthorizationCodeGrant,
  store: ReportedStore,
): Promise<{ readonly client: OAuthClient; readonly parameters: TokenParameters }> {
  const { issuer, authorization_endpoint: endpoint, code_challenge_methods_supported: methods } = metadata;
  const ended = new AbortController();
  const { abandoned = ended.signal } = requests;
  const signal = AbortSignal.any([requests.signal, abandoned, ended.signal]);
  try {
    const uri = typeof grant.redirectUri === 'string' ? grant.redirectUri : await grant.redirectUri(signal);
    const redirectUri = permittedRedirectUri(uri);
    if (endpoint === undefined)
      throw refusal(`The authorization server "${issuer}" has no authorization endpoint`);
    if (!methods?.includes('S256'))
      throw refusal(`The authorization server "${issuer}" does not support PKCE with S256`);
    const client = await clientForLogin(requests, store, metadata, grant, redirectUri);
    const [verifier, state] = [generateRandomCodeVerifier(), generateRandomState()];
    const url = new URL(endpoint);
    const parameters = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource,
      ...(scopes && { scope: scopes.join(' ') }),
      // OpenID Connect Core, section 11: offline access needs the user's consent.
      ...(scopes?.includes('offline_access') && { prompt: 'consent' }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    signal.throwIfAborted();
    const code = codeIn(await grant.redirect(url, signal), state, metadata);
    const proof = { redirect_uri: redirectUri, code_verifier: verifier };
    return { client, parameters: { grant_type: 'authorization_code', code, ...proof } };
  } finally {
    ended.abort();
  }
}

function permittedRedirectUri(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return text;
  throw refusal(`Invalid redirect URI: "${text}"; expected HTTPS or a loopback address`);
}

/**
 * Returns the authorization code in the URL to which the user was redirected. Throws if the response belongs
 * to another request or comes from another authorization server; the error then quotes nothing of the
 * response, which may come from an attacker.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization#authorization-response-validation
 */
function codeIn(callback: string | URL, state: string, metadata: ServerMetadata): string {
  const invalid = (reason: string) => refusal(`Invalid authorization response; ${reason}`);
  if (!URL.canParse(String(callback)))
    throw invalid('expected the URL to which the browser was redirected, with its query');
  const { searchParams } = new URL(callback);
  const single = (name: string): string | undefined => {
    const [first, ...others] = searchParams.getAll(name);
    if (others.length > 0) throw invalid(`"${name}" occurs more than once`);
    return first;
  };
  const [code, iss, error] = [single('code'), single('iss'), single('error')];
  if (single('state') !== state) throw invalid('its "state" differs from that of the request');
  if (iss === undefined && metadata.authorization_response_iss_parameter_supported === true)
    throw invalid('it has no "iss", although the metadata of the authorization server announces one');
  if (iss !== undefined && iss !== metadata.issuer) throw invalid('its "iss" names another issuer');
  if (error !== undefined) {
    const description = single('error_description');
    const reason = shownText(description === undefined ? error : `${error}: ${description}`);
    throw refusal(
      `The authorization server "${metadata.issuer}" refuses the login: ${reason}`,
      shownText(error),
    );
  }
  if (code === undefined) throw invalid('it has no "code"');
  return code;
}

function refusal(reason: string, code?: string): AuthorizationError {
  return new AuthorizationError('login', reason, { code });
}
