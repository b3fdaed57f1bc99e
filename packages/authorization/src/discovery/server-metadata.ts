import { issuerMetadataUrls } from '@mcp/kit';
import type { AuthorizationServer } from 'oauth4webapi';
import { AuthorizationError } from '../authorization-error.ts';
import { getJson, type Requests } from '../requests/http-requests.ts';
import { type JsonObject, stringIn, stringsIn } from '../requests/json-fields.ts';
import { permittedUrl, type UrlRules } from '../requests/url-rules.ts';

/** The metadata that an authorization server publishes: RFC 8414 and OpenID Connect Discovery 1.0. */
export type ServerMetadata = AuthorizationServer;

/**
 * Fetches an issuer's metadata from its well-known URIs, in the order that the MCP specification gives.
 * Returns undefined if none of these URIs returns metadata. Throws if metadata was found, but only for
 * issuers other than `issuer`.
 */
export async function findServerMetadata(
  requests: Requests,
  issuer: string,
  headers: { readonly [name: string]: string } = {},
): Promise<ServerMetadata | undefined> {
  const url = permittedUrl(issuer, 'issuer', requests.rules);
  if (url.search !== '' || url.hash !== '') {
    const reason = `Invalid issuer: "${issuer}"; expected a URL without query and fragment`;
    throw new AuthorizationError('discovery', reason);
  }
  let other: string | undefined;
  for (const candidate of issuerMetadataUrls(url)) {
    const json = await getJson(requests, candidate, headers);
    if (json?.['issuer'] === issuer) return checkedMetadata(json, issuer, requests.rules);
    if (json) other ??= JSON.stringify(json['issuer'] ?? null).slice(0, 200);
  }
  if (other === undefined) return undefined;
  throw new AuthorizationError(
    'discovery',
    `The metadata of the authorization server "${issuer}" names another issuer: ${other}`,
  );
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'];
const lists = [
  'scopes_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'dpop_signing_alg_values_supported',
];

/**
 * Returns the metadata without the fields that have a wrong type. Throws if the `rules` forbid the URL of an
 * endpoint.
 */
function checkedMetadata(json: JsonObject, issuer: string, rules: UrlRules): ServerMetadata {
  const checked: { [name: string]: unknown; issuer: string } = { ...json, issuer };
  for (const name of lists) checked[name] = stringsIn(json, name);
  for (const name of endpoints) {
    const text = stringIn(json, name);
    checked[name] = text && permittedUrl(text, `${name} of "${issuer}"`, rules).href;
  }
  return checked as ServerMetadata;
}
