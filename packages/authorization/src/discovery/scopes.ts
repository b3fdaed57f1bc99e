import type { Challenge } from './challenge.ts';
import type { Discovery } from './discover.ts';

/** The scope that requests a refresh token. */
const offlineAccess = 'offline_access';

/**
 * Selects the scopes to request: the scopes of the challenge together with the scopes requested before.
 * Without either, selects all scopes that the resource supports. A user's login also requests offline access
 * if the authorization server lists it. Returns undefined if no scope is known; the request then has no scope
 * parameter.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization#scope-selection-strategy
 */
export function selectScopes(
  { scopes }: Challenge,
  { scopesSupported, metadata }: Discovery,
  isLogin: boolean,
  requestedBefore: readonly string[] = [],
): readonly string[] | undefined {
  const now = scopes ?? (requestedBefore.length > 0 ? [] : scopesSupported) ?? [];
  const selected = new Set([...requestedBefore, ...now]);
  selected.delete(offlineAccess);
  // Does not request offline access alone: a request without scopes gets the server's default scopes, but a
  // request for `offline_access` alone would not get them.
  if (selected.size === 0) return undefined;
  const isOffered = isLogin && metadata.scopes_supported?.includes(offlineAccess);
  return isOffered ? [...selected, offlineAccess] : [...selected];
}

/** The scopes of a challenge that a token does not have. */
export function missingScopes(
  { scopes = [] }: Challenge,
  granted: readonly string[] = [],
): readonly string[] {
  return scopes.filter((scope) => !granted.includes(scope));
}
