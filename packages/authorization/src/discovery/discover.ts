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
 * Finds the authorization server of an MCP server by its protected resource metadata. If the MCP server has
 * no such metadata, its own origin is the authorization server, as in revision 2025-03-26. If the metadata
 * names several authorization servers, the first issuer of `preferred` that is among them is used, otherwise
 * the first authorization server in the metadata.
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
    throw new AuthorizationError(
      'discovery',
      `The authorization server "${issuer}" has no metadata at its well-known URLs`,
    );
  return { resource, metadata, scopesSupported, requiresDpop: requiresDpop || found.requiresDpop };
}

/**
 * Returns the authorization server metadata of an MCP server that is its own authorization server, as in
 * revision 2025-03-26. Assumes PKCE with S256 if the metadata does not list it: this revision requires
 * servers to support PKCE, but not to publish that they do.
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

/**
 * The resource identifier of a server without protected resource metadata: its URL without the query, and
 * without a final slash if there is no path (RFC 8707, section 2).
 */
function canonical(server: URL): string {
  return shownUrl(server).replace(/^([^/]+\/\/[^/]+)\/$/, '$1');
}
