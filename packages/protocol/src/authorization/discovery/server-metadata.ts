import type { JsonObject } from '../../jsonrpc/message.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { getJson, type Requests } from '../requests/http-requests.ts';
import { stringIn, stringsIn } from '../requests/json-fields.ts';
import { permittedUrl, type UrlRules } from '../requests/url-rules.ts';

/** The metadata that an authorization server publishes: RFC 8414 and OpenID Connect Discovery 1.0. */
export interface ServerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: URL | undefined;
  readonly tokenEndpoint: URL | undefined;
  readonly registrationEndpoint: URL | undefined;
  readonly scopesSupported: readonly string[] | undefined;
  readonly tokenEndpointAuthMethods: readonly string[] | undefined;
  readonly codeChallengeMethods: readonly string[] | undefined;
  readonly dpopAlgorithms: readonly string[] | undefined;
  /** Whether authorization responses carry `iss`: RFC 9207. */
  readonly sendsIssuer: boolean;
  /** Whether a client id may be the URL of a client id metadata document. */
  readonly acceptsClientIdUrls: boolean;
}

/**
 * Fetches the metadata of an issuer from its well-known URIs, in the order of the specification.
 * A document with another `issuer` is never used. Returns undefined when no URI has a document,
 * and throws when all documents are those of another issuer.
 */
export async function findServerMetadata(
  requests: Requests,
  issuer: string,
  headers: { readonly [name: string]: string } = {},
): Promise<ServerMetadata | undefined> {
  const url = permittedUrl(issuer, 'issuer', requests.rules);
  if (url.search !== '' || url.hash !== '')
    throw new AuthorizationError(
      'discovery',
      `Invalid issuer: "${issuer}"; expected no query and no fragment`,
    );
  let other: string | undefined;
  for (const candidate of wellKnownUrls(url)) {
    const json = await getJson(requests, candidate, headers);
    if (!json) continue;
    if (json['issuer'] === issuer) return parseServerMetadata(json, issuer, requests.rules);
    other ??= JSON.stringify(json['issuer'] ?? null).slice(0, 200);
  }
  if (other === undefined) return undefined;
  throw new AuthorizationError(
    'discovery',
    `The metadata of the authorization server "${issuer}" names another issuer: ${other}`,
  );
}

function wellKnownUrls(issuer: URL): URL[] {
  const [oauth, openid] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  const path = issuer.pathname.replace(/\/$/, '');
  const paths = path === '' ? [oauth, openid] : [`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`];
  return paths.map((pathname) => Object.assign(new URL(issuer), { pathname }));
}

function parseServerMetadata(json: JsonObject, issuer: string, rules: UrlRules): ServerMetadata {
  const endpoint = (name: string): URL | undefined => {
    const text = stringIn(json, name);
    return text === undefined ? undefined : permittedUrl(text, `${name} of "${issuer}"`, rules);
  };
  return {
    issuer,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint: endpoint('token_endpoint'),
    registrationEndpoint: endpoint('registration_endpoint'),
    scopesSupported: stringsIn(json, 'scopes_supported'),
    tokenEndpointAuthMethods: stringsIn(json, 'token_endpoint_auth_methods_supported'),
    codeChallengeMethods: stringsIn(json, 'code_challenge_methods_supported'),
    dpopAlgorithms: stringsIn(json, 'dpop_signing_alg_values_supported'),
    sendsIssuer: json['authorization_response_iss_parameter_supported'] === true,
    acceptsClientIdUrls: json['client_id_metadata_document_supported'] === true,
  };
}
