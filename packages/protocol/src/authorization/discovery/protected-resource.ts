import type { JsonObject } from '../../jsonrpc/message.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { getJson, type Requests } from '../requests/http-requests.ts';
import { stringIn, stringsIn } from '../requests/json-fields.ts';
import { permittedUrl, shownUrl } from '../requests/url-rules.ts';

/** Protected resource metadata: RFC 9728. */
export interface ProtectedResource {
  /** The resource identifier, as authorization and token requests name it (RFC 8707). */
  readonly resource: string;
  readonly authorizationServers: readonly [string, ...string[]];
  readonly scopesSupported?: readonly string[];
  readonly requiresDpop: boolean;
}

/**
 * Fetches the metadata of the server's resource: from the URL of its challenge, or from the well-known URIs,
 * that of the path first. Returns undefined when the challenge names no URL and the well-known URIs have
 * none. Throws when the metadata is for another resource.
 */
export async function findProtectedResource(
  requests: Requests,
  metadataUrl: string | undefined,
  headers: { readonly [name: string]: string },
): Promise<ProtectedResource | undefined> {
  const { server } = requests.rules;
  if (metadataUrl !== undefined) {
    const url = permittedUrl(metadataUrl, 'resource_metadata', requests.rules);
    const json = await getJson(requests, url, headers);
    if (json) return parse(json, server, url);
    throw new AuthorizationError('discovery', `"${shownUrl(url)}" has no protected resource metadata`);
  }
  for (const url of wellKnownUrls(server)) {
    const json = await getJson(requests, url, headers);
    if (json) return parse(json, server, url);
  }
  return undefined;
}

function wellKnownUrls(server: URL): URL[] {
  const path = '/.well-known/oauth-protected-resource';
  const root = new URL(path, server);
  if (server.pathname === '/' && server.search === '') return [root];
  return [new URL(`${path}${server.pathname === '/' ? '' : server.pathname}${server.search}`, server), root];
}

function parse(json: JsonObject, server: URL, url: URL): ProtectedResource {
  const resource = stringIn(json, 'resource');
  const [first, ...others] = stringsIn(json, 'authorization_servers') ?? [];
  const scopesSupported = stringsIn(json, 'scopes_supported');
  if (resource === undefined || !covers(resource, server)) {
    throw new AuthorizationError(
      'discovery',
      `"${shownUrl(url)}" is the metadata of another resource: ${JSON.stringify(resource?.slice(0, 200))}`,
    );
  }
  if (first === undefined)
    throw new AuthorizationError('discovery', `"${shownUrl(url)}" names no authorization server`);
  return {
    resource,
    authorizationServers: [first, ...others],
    ...(scopesSupported && { scopesSupported }),
    requiresDpop: json['dpop_bound_access_tokens_required'] === true,
  };
}

/**
 * Whether a resource identifier is the server's URL or a parent of it: a root may speak for all of its paths.
 */
function covers(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search, hash } = new URL(resource);
  const parent = pathname.endsWith('/') ? pathname : `${pathname}/`;
  if (search !== '' && search !== server.search) return false;
  return origin === server.origin && hash === '' && `${server.pathname}/`.startsWith(parent);
}
