import { AuthorizationError } from '../authorization-error.ts';
import { getJson, type Requests } from '../requests/http-requests.ts';
import { type JsonObject, stringIn, stringsIn } from '../requests/json-fields.ts';
import { permittedUrl, shownUrl } from '../requests/url-rules.ts';

/** Protected resource metadata: RFC 9728. */
export interface ProtectedResource {
  /** The resource identifier, which authorization and token requests send as `resource` (RFC 8707). */
  readonly resource: string;
  readonly authorizationServers: readonly [string, ...string[]];
  readonly scopesSupported: readonly string[] | undefined;
  readonly requiresDpop: boolean;
}

/**
 * Fetches the protected resource metadata of the server from the URL in its challenge. Without such a URL,
 * tries the well-known URIs: the one with the server's path first, then the one without a path. Returns
 * undefined if the challenge has no URL and the well-known URIs have no metadata. Throws if the metadata is
 * for another resource.
 */
export async function findProtectedResource(
  requests: Requests,
  metadataUrl: string | undefined,
  headers: { readonly [name: string]: string },
): Promise<ProtectedResource | undefined> {
  const { server } = requests.rules;
  const named =
    metadataUrl === undefined ? undefined : permittedUrl(metadataUrl, 'resource_metadata', requests.rules);
  for (const url of named ? [named] : wellKnownUrls(server)) {
    const json = await getJson(requests, url, headers);
    if (json) return parse(json, server, shownUrl(url));
  }
  if (!named) return undefined;
  throw new AuthorizationError('discovery', `"${shownUrl(named)}" has no protected resource metadata`);
}

function wellKnownUrls(server: URL): URL[] {
  const { pathname, search } = server;
  const root = new URL('/.well-known/oauth-protected-resource', server);
  if (pathname === '/' && search === '') return [root];
  return [new URL(`${root.pathname}${pathname === '/' ? '' : pathname}${search}`, server), root];
}

function parse(json: JsonObject, server: URL, shown: string): ProtectedResource {
  const refuse = (reason: string): never => {
    throw new AuthorizationError('discovery', `"${shown}" ${reason}`);
  };
  const resource = stringIn(json, 'resource');
  const [first, ...others] = stringsIn(json, 'authorization_servers') ?? [];
  if (resource === undefined || !covers(resource, server))
    return refuse(`is the metadata of another resource: ${JSON.stringify(resource?.slice(0, 200))}`);
  return {
    resource,
    authorizationServers: [first ?? refuse('names no authorization server'), ...others],
    scopesSupported: stringsIn(json, 'scopes_supported'),
    requiresDpop: json['dpop_bound_access_tokens_required'] === true,
  };
}

/**
 * Whether a resource identifier is the server's URL or a parent of this URL: the metadata of a parent also
 * applies to all URLs below it.
 */
function covers(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search, hash } = new URL(resource);
  const parent = pathname.endsWith('/') ? pathname : `${pathname}/`;
  if (search !== '' && search !== server.search) return false;
  return origin === server.origin && hash === '' && `${server.pathname}/`.startsWith(parent);
}
