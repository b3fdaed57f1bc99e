import { AuthorizationError } from '../authorization-error.ts';
import type { Requests } from '../requests/http-requests.ts';
import { shownUrl } from '../requests/url-rules.ts';
import type { Challenge } from './challenge.ts';
import { findProtectedResource } from './protected-resource.ts';
import { findServerMetadata, type ServerMetadata } from './server-metadata.ts';

/** The authorization server and the resource identifier that were discovered for an MCP server. */
export interface Discovery {
  /** The resource identifier of the MCP server (RFC 8707). */
  readonly resource: string;
  readonly metadata: ServerMetadata;
  readonly scopesSupported?: readonly string[] | undefined;
  readonly requiresDpop: boolean;
}

/**
 * Finds the authorization server by the protected resource metadata. If the MCP server has no such metadata,
 * its own origin is the authorization server, as in the first revision with authorization. If the metadata
 * names several authorization servers, takes the first issuer of `preferred` that is among them, otherwise
 * the first one that the metadata names.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization/authorization-server-discovery
 */
export async function discover(
  requests: Requests,
  { resourceMetadata, requiresDpop }: Challenge,
  preferred: readonly (string | undefined)[],
  headers: { readonly [name: string]: string },
): Promise<Discovery> {
  const found = await findProtectedResource(requests, resourceMetadata, headers);
  if (!found) {
    const metadata = await legacyMetadata(requests, headers);
    return { resource: canonical(requests.rules.server), metadata, requiresDpop };
  }
  const { resource, authorizationServers, scopesSupported } = found;
  const known = preferred.find((issuer) => authorizationServers.some((each) => each === issuer));
  const issuer = known ?? authorizationServers[0];
  const metadata = await findServerMetadata(requests, issuer, headers);
  if (!metadata)
    throw new AuthorizationError('discovery', `The authorization server "${issuer}" has no metadata`);
  return { resource, metadata, scopesSupported, requiresDpop: requiresDpop || found.requiresDpop };
}

/**
 * The metadata of an MCP server that is its own authorization server, as in the first revision with
 * authorization. That revision requires PKCE, but not that servers publish their support for PKCE.
 */
async function legacyMetadata(
  requests: Requests,
  headers: { readonly [name: string]: string },
): Promise<ServerMetadata> {
  const { origin } = requests.rules.server;
  const published = await findServerMetadata(requests, origin, headers);
  return {
    ...(published ?? {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
    }),
    code_challenge_methods_supported: published?.code_challenge_methods_supported ?? ['S256'],
  };
}

/** The resource identifier of a server that publishes none: its canonical URL (RFC 8707, section 2). */
function canonical(server: URL): string {
  return shownUrl(server).replace(/^([^/]+\/\/[^/]+)\/$/, '$1');
}
