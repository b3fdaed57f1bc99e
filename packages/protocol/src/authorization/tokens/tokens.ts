import type { webcrypto } from 'node:crypto';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { secondsIn, stringIn, stringsIn } from '../requests/json-fields.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';

/**
 * An access token, and the values that its use and renewal need. A store keeps it as JSON;
 * all of it is secret.
 */
export interface Tokens {
  readonly accessToken: string;
  readonly type: 'Bearer' | 'DPoP';
  readonly refreshToken?: string;
  /**
   * When the token was issued and when it expires, in milliseconds since 1970; unknown when the
   * server does not say.
   */
  readonly issuedAt: number;
  readonly expiresAt?: number;
  /** The scopes that were requested so far, and those that the token has. */
  readonly requestedScopes?: readonly string[];
  readonly scopes?: readonly string[];
  readonly issuer: string;
  readonly resource: string;
  /** The client that the token was issued to; none for an assertion that names no client. */
  readonly clientId?: string;
  /** The private key that the tokens are bound to. */
  readonly dpopKey?: webcrypto.JsonWebKey;
}

/** Characters that a header can carry: no space, no control character, nothing beyond ASCII. */
const tokenSyntax = /^[\x21-\x7e]+$/;

/** The values of a successful token response: OAuth 2.1, section 3.2.3. */
export type IssuedTokens = Pick<
  Tokens,
  'accessToken' | 'type' | 'refreshToken' | 'issuedAt' | 'expiresAt' | 'scopes'
>;

/** Reads a token response. Throws when it has no access token of a known type. */
export function tokensOf(json: JsonObject, { issuer }: ServerMetadata): IssuedTokens {
  const refuse = (reason: string): never => {
    throw new AuthorizationError('token', `The authorization server "${issuer}" returned ${reason}`);
  };
  const accessToken = stringIn(json, 'access_token') ?? refuse('no access_token');
  if (!tokenSyntax.test(accessToken)) refuse('an access_token that no header can carry');
  const type = parseType(stringIn(json, 'token_type')) ?? refuse('a token_type other than Bearer and DPoP');
  const [refreshToken, scope] = [stringIn(json, 'refresh_token'), stringIn(json, 'scope')];
  const lifetime = secondsIn(json, 'expires_in');
  const issuedAt = Date.now();
  return {
    accessToken,
    type,
    issuedAt,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(lifetime !== undefined && { expiresAt: issuedAt + lifetime * 1000 }),
    ...(scope !== undefined && { scopes: scope.split(' ') }),
  };
}

/** Reads tokens that a store returned. Returns undefined when they are not such. */
export function parseStoredTokens(value: unknown): Tokens | undefined {
  if (!isObject(value)) return undefined;
  const text = (name: string) => stringIn(value, name);
  const [accessToken, type] = [text('accessToken'), parseType(text('type'))];
  const [issuer, resource, clientId] = [text('issuer'), text('resource'), text('clientId')];
  if (accessToken === undefined || !tokenSyntax.test(accessToken) || type === undefined) return undefined;
  if (issuer === undefined || resource === undefined) return undefined;
  const [refreshToken, expiresAt] = [text('refreshToken'), secondsIn(value, 'expiresAt')];
  const [scopes, requestedScopes] = [stringsIn(value, 'scopes'), stringsIn(value, 'requestedScopes')];
  const { dpopKey } = value;
  if (type === 'DPoP' && !isObject(dpopKey)) return undefined;
  return {
    accessToken,
    type,
    issuedAt: secondsIn(value, 'issuedAt') ?? 0,
    issuer,
    resource,
    ...(clientId !== undefined && { clientId }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(scopes && { scopes }),
    ...(requestedScopes && { requestedScopes }),
    ...(isObject(dpopKey) && { dpopKey: dpopKey as webcrypto.JsonWebKey }),
  };
}

function parseType(type: string | undefined): Tokens['type'] | undefined {
  const lower = type?.toLowerCase();
  if (lower === 'bearer') return 'Bearer';
  return lower === 'dpop' ? 'DPoP' : undefined;
}
