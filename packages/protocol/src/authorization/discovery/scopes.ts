import type { Challenge } from './challenge.ts';
import type { Discovery } from './discover.ts';

/**
 * The scopes to request: those of the challenge, or else all that the resource supports, together with those
 * requested before. Undefined where nothing names any; the parameter is omitted then.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization#scope-selection-strategy
 */
export function selectScopes(
  { scopes }: Challenge,
  { scopesSupported }: Discovery,
  requestedBefore: readonly string[] = [],
): readonly string[] | undefined {
  const now = scopes ?? (requestedBefore.length > 0 ? [] : scopesSupported) ?? [];
  const selected = [...new Set([...requestedBefore, ...now])];
  return selected.length > 0 ? selected : undefined;
}

/** The scopes of a challenge that a token does not have. */
export function missingScopes(
  { scopes = [] }: Challenge,
  granted: readonly string[] = [],
): readonly string[] {
  return scopes.filter((scope) => !granted.includes(scope));
}
