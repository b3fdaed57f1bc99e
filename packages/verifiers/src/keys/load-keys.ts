import { isObject, issuerMetadataUrls, quoted } from '@mcp/kit';
import type { Fetch } from '@mcp/protocol/client';
import type { JWK } from 'jose';
import { requestDeadline, requestJson, shownAnswer } from '../requests/request-json.ts';
import { secureUrl } from '../requests/secure-url.ts';

/** Where the keys of an issuer are. */
export interface KeySource {
  readonly issuer: string;
  /** Default: as the metadata of the issuer says. */
  readonly jwksUri?: string | undefined;
  readonly fetch: Fetch;
}

/** Statuses of a server that may have the metadata later. The search then fails; no further URL is tried. */
const passing = new Set([429, 502, 503, 504]);
const maxKeys = 100;

/** Fetches the public keys of an issuer (RFC 7517, section 5) for the functions of `jose`. */
export async function loadKeys({ issuer, jwksUri, fetch }: KeySource) {
  const signal = requestDeadline();
  const url =
    jwksUri === undefined ? await findKeysUrl(issuer, { fetch, signal }) : secureUrl(jwksUri, 'jwksUri');
  const { response, json } = await requestJson(fetch, url, { signal });
  const keys = json?.['keys'];
  if (!response.ok || !Array.isArray(keys))
    throw new Error(`${shownAnswer(url, response)} and no JSON Web Key Set`);
  if (keys.length > maxKeys)
    throw new Error(`"${url.href}" has ${keys.length} keys; expected at most ${maxKeys}`);
  const { createLocalJWKSet } = await import('jose');
  // Entries that are no objects are left out, because one of them would make the whole set invalid.
  return createLocalJWKSet({ keys: keys.filter((key): key is JWK => isObject(key)) });
}

export type Keys = Awaited<ReturnType<typeof loadKeys>>;

/**
 * The `jwks_uri` in the metadata of an issuer: RFC 8414 or OpenID Connect Discovery 1.0. Metadata that names
 * another issuer is not used: RFC 8414, section 3.3.
 */
async function findKeysUrl(
  issuer: string,
  { fetch, signal }: { readonly fetch: Fetch; readonly signal: AbortSignal },
): Promise<URL> {
  const own = secureUrl(issuer, 'issuer');
  let other = 'no metadata was found';
  for (const url of issuerMetadataUrls(own)) {
    const { response, json } = await requestJson(fetch, url, { signal });
    if (passing.has(response.status)) throw new Error(shownAnswer(url, response));
    if (!response.ok || !json) continue;
    const { issuer: named, jwks_uri: keysUrl } = json;
    // Metadata of a secure issuer cannot name keys that come without encryption.
    if (named === issuer)
      return secureUrl(String(keysUrl), `jwks_uri in "${url.href}"`, { mayBeHttp: own.protocol === 'http:' });
    other = `"${url.href}" is of the issuer ${quoted(String(named), 200)}`;
  }
  throw new Error(`Cannot find the keys of the issuer ${quoted(issuer)}: ${other}`);
}
