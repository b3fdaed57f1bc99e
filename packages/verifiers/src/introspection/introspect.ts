import { isObject } from '@mcp/kit';
import type { Fetch } from '@mcp/protocol/client';
import { VerifierUnavailable } from '@mcp/protocol/web';
import { requestDeadline, requestJson, shownAnswer } from '../requests/request-json.ts';
import type { Claims } from '../tokens/caller-of.ts';
import { shown } from '../tokens/check-claims.ts';
import { TokenRefused } from '../tokens/token-refused.ts';

/** An introspection endpoint, and the client that may ask it. */
export interface IntrospectionEndpoint {
  readonly url: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: Fetch;
}

/** What the authorization server says about a token. Throws a `TokenRefused` if the token is not active. */
export async function introspect(
  token: string,
  { url, clientId, clientSecret, fetch }: IntrospectionEndpoint,
): Promise<Claims> {
  const { response, json } = await requestJson(fetch, url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
    signal: requestDeadline(),
  });
  const active = json?.['active'];
  // With a wrong client secret, for example, the answer is 401. This is no fault of the token, so the token
  // is not refused: the user would log in again in vain.
  if (!response.ok || !json || typeof active !== 'boolean')
    throw new VerifierUnavailable(`${shownAnswer(url, response)} and no introspection`);
  if (!active) throw new TokenRefused('The token is not active');
  // Some servers answer `active` for a refresh token, too, and name its kind in one of these members.
  const kinds = [json['token_use'], json['token_type'], json['typ']];
  if (kinds.some((kind) => /refresh|offline/i.test(String(kind))))
    throw new TokenRefused('The token is a refresh token');
  checkType(json);
  return json;
}

/**
 * Throws unless the type is missing, Bearer, or DPoP with the key of the token. For a token that is no access
 * token, for example, a server answers `N_A`: RFC 8693, section 2.2.1.
 */
function checkType({ token_type: type, cnf }: Claims): void {
  const scheme = typeof type === 'string' ? type.toLowerCase() : type;
  const bound = isObject(cnf) && typeof cnf['jkt'] === 'string';
  if (scheme === undefined || scheme === 'bearer' || (scheme === 'dpop' && bound)) return;
  throw new TokenRefused(`The token has the type ${shown(type)}; expected Bearer, or DPoP with "cnf"`);
}

/** Encodes the id or the secret of a client for HTTP Basic: RFC 6749, section 2.3.1. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
