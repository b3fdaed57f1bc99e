import type { webcrypto } from 'node:crypto';
import { isObject } from '@mcp/kit';
import { AuthorizationError } from '../authorization-error.ts';
import { type JsonObject, secondsIn, stringIn } from '../requests/json-fields.ts';

/** The values of a successful token response: OAuth 2.1, section 3.2.3. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly type: 'Bearer' | 'DPoP';
  readonly refreshToken: string | undefined;
  /**
   * When the token was issued, and when it expires, in milliseconds since 1970. `expiresAt` is undefined if
   * the server does not tell it.
   */
  readonly issuedAt: number;
  readonly expiresAt: number | undefined;
  /** The scopes that the token grants; undefined if they are not known. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * An access token, and the values that are needed to use and renew it. A store keeps all of these values as
 * JSON. All of them are secret.
 */
export interface Tokens extends IssuedTokens {
  /** All scopes that were requested up to now. */
  readonly requestedScopes: readonly string[] | undefined;
  readonly issuer: string;
  readonly resource: string;
  /**
   * The id of the client that the token was issued to; undefined if the token was granted for an assertion
   * without a client.
   */
  readonly clientId: string | undefined;
  /** The private key that the tokens are bound to, if any. */
  readonly dpopKey: webcrypto.JsonWebKey | undefined;
}

/**
 * Matches a token that an `authorization` header can contain: ASCII without spaces and control characters.
 */
const tokenSyntax = /^[\x21-\x7e]+$/;

/** Reads a token response. Throws if it has no access token of a known type. */
export function tokensOf(json: JsonObject, issuer: string): IssuedTokens {
  const refuse = (reason: string): never => {
    throw new AuthorizationError('token', `The authorization server "${issuer}" returned ${reason}`);
  };
  const accessToken = stringIn(json, 'access_token') ?? refuse('no access_token');
  if (!tokenSyntax.test(accessToken))
    refuse('an access_token with characters that HTTP headers do not allow');
  const type = parseType(json['token_type']) ?? refuse('a token_type other than Bearer and DPoP');
  const lifetime = secondsIn(json, 'expires_in');
  const issuedAt = Date.now();
  return {
    accessToken,
    type,
    issuedAt,
    expiresAt: lifetime && issuedAt + lifetime * 1000,
    refreshToken: stringIn(json, 'refresh_token'),
    scopes: stringIn(json, 'scope')?.split(' '),
  };
}

/** Whether a value from a store is a set of tokens that can be used. */
export function isTokens(value: unknown): value is Tokens {
  if (!isObject(value)) return false;
  const { accessToken, type, issuer, resource, dpopKey } = value;
  if (typeof accessToken !== 'string' || !tokenSyntax.test(accessToken)) return false;
  const isUsable = type === 'Bearer' || (type === 'DPoP' && isObject(dpopKey));
  return isUsable && typeof issuer === 'string' && typeof resource === 'string';
}

function parseType(type: unknown): Tokens['type'] | undefined {
  return (['Bearer', 'DPoP'] as const).find((each) => each.toLowerCase() === String(type).toLowerCase());
}
