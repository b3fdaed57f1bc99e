import type { Caller } from '@mcp/protocol';
import { TokenRefused } from './token-refused.ts';

/** What an authorization server says about a token: RFC 7519, section 4, and RFC 7662, section 2.2. */
export type Claims = { readonly [name: string]: unknown };

/** The owner of a token that has been verified. */
export interface TokenCaller extends Caller {
  /** The claim `sub`: unique for one authorization server. */
  readonly principal: string;
  /** The scopes of the claim `scope` (RFC 9068) or, without it, of `scp`. */
  readonly scopes: readonly string[];
  /** The claim `exp` and the clock tolerance, in milliseconds since 1970; undefined without this claim. */
  readonly expiresAt?: number;
  /** All claims of the token. */
  readonly claims: Claims;
}

/** The owner that the claims name. `clockTolerance` is in seconds. */
export function callerOf(claims: Claims, clockTolerance: number): TokenCaller {
  const { sub, exp } = claims;
  if (!hasText(sub)) throw new TokenRefused('The token names no owner in "sub"');
  const scopes = scopesOf(claims['scope'] ?? claims['scp']);
  const expiresAt = typeof exp === 'number' ? (exp + clockTolerance) * 1_000 : undefined;
  return { principal: sub, scopes, claims, ...(expiresAt !== undefined && { expiresAt }) };
}

/** Scopes come as one text with spaces, and from some servers as a list. */
function scopesOf(scope: unknown): string[] {
  const scopes: unknown[] = typeof scope === 'string' ? scope.split(' ') : Array.isArray(scope) ? scope : [];
  return scopes.filter((each): each is string => typeof each === 'string' && each !== '');
}

/** Whether a value is a text that has more than white space. */
export function hasText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
