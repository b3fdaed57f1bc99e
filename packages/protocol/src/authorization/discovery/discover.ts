import { AuthorizationError } from '../authorization-error.ts';
import type { Challenge } from './challenge.ts';
import type { Requests } from '../requests/http-requests.ts';
import { findProtectedResource, type ProtectedResource } from './protected-resource.ts';
import { findServerMetadata, type ServerMetadata } from './server-metadata.ts';
import { shownUrl } from '../requests/url-rules.ts';

/** The authorization server and the resource of a server, as discovered. */
export interface Discovery {
  /** The resource identifier of the server (RFC 8707). */
  readonly resource: string;
  readonly metadata: ServerMetadata;
  readonly scopesSupported?: readonly string[] | undefined;
  readonly requiresDpop: boolean;
  /**
   * Whether the server is one of the first revision with authorization, which is its own
   * authorization server.
   */
  readonly legacy: boolean;
}

/**
 * Finds the authorization server: by the protected resource metadata; without any, at the server's own
 * origin, as the first revision with authorization has it. Of several it takes the first that `preferred`
 * contains, or the first.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization/authorization-server-discovery
 */
export async function discover(
  requests: Requests,
  challenge: Challenge,
  preferred: readonly (string | undefined)[],
  headers: { readonly [name: string]: string },
): Promise<Discovery> {
  const resource = await findProtectedResource(requests, challenge.resourceMetadata, headers);
  if (!resource) {
    const metadata = await legacyMetadata(requests, headers);
    return {
      resource: canonical(requests.rules.server),
      metadata,
      requiresDpop: challenge.requiresDpop,
      legacy: true,
    };
  }
  const issuer = choose(resource, preferred);
  const metadata = await findServerMetadata(requests, issuer, headers);
  if (!metadata)
    throw new AuthorizationError('discovery', `The authorization server "${issuer}" has no metadata`);
  return {
    resource: resource.resource,
    metadata,
    scopesSupported: resource.scopesSupported,
    requiresDpop: challenge.requiresDpop || resource.requiresDpop,
    legacy: false,
  };
}

function choose(
  { authorizationServers }: ProtectedResource,
  preferred: readonly (string | undefined)[],
): string {
  const found = preferred.find((issuer) => issuer !== undefined && authorizationServers.includes(issuer));
  return found ?? authorizationServers[0];
}

async function legacyMetadata(
  requests: Requests,
  headers: { readonly [name: string]: string },
): Promise<ServerMetadata> {
  const { origin } = requests.rules.server;
  const published = await findServerMetadata(requests, origin, headers);
  if (published) return published;
  const at = (path: string) => new URL(path, origin);
  return {
    issuer: origin,
    authorizationEndpoint: at('/authorize'),
    tokenEndpoint: at('/token'),
    registrationEndpoint: at('/register'),
    scopesSupported: undefined,
    tokenEndpointAuthMethods: undefined,
    codeChallengeMethods: ['S256'],
    dpopAlgorithms: undefined,
    sendsIssuer: false,
    acceptsClientIdUrls: false,
  };
}

/** The canonical URI of a server that does not publish one: RFC 8707, section 2. */
function canonical(server: URL): string {
  return shownUrl(server).replace(/^([^/]+\/\/[^/]+)\/$/, '$1');
}
