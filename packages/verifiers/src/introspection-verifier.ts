import type { Caller } from '@mcp/protocol';
import type { Verify } from '@mcp/protocol/web';
import { AnswerCache } from './introspection/answer-cache.ts';
import { introspect } from './introspection/introspect.ts';
import { type CallerOption, checkedOptions, checkIssuer, type VerifierOptions } from './options.ts';
import { globalFetch } from './requests/request-json.ts';
import { secureUrl } from './requests/secure-url.ts';
import type { TokenCaller } from './tokens/caller-of.ts';
import { checkClaims } from './tokens/check-claims.ts';
import { verifierOf } from './verifier.ts';

/** Options of `introspectionVerifier`. */
export interface IntrospectionVerifierOptions extends VerifierOptions {
  /** The URL of the introspection endpoint. */
  readonly endpoint: string;
  /** The id with which this server, as a client, authenticates itself to the endpoint. */
  readonly clientId: string;
  /** The secret of this client, which the endpoint gets by HTTP Basic: RFC 6749, section 2.3.1. */
  readonly clientSecret: string;
  /** The `iss` that answers must have. Default: answers need no `iss`, as they come from one server. */
  readonly issuer?: string;
  /**
   * The seconds for which an answer is kept, though never after the token's expiry; in this time, a token
   * that was revoked is still accepted. An answer for which a token is refused is kept for at most 5 seconds.
   * Default: 30; with 0, every request asks again.
   */
  readonly cacheSeconds?: number;
}

/**
 * Verifies tokens by asking their authorization server (RFC 7662), if it is the only one that can read them.
 * Its answer needs `sub` and `aud`. While it does not answer, requests to this server are answered with 503.
 * @example
 * ```ts
 * import { introspectionVerifier } from '@mcp/verifiers';
 *
 * const verify = introspectionVerifier({
 *   endpoint: 'https://login.example.com/introspect',
 *   clientId: 'notes',
 *   clientSecret: process.env['CLIENT_SECRET'] ?? 'example',
 *   audience: 'https://mcp.example.com/mcp',
 * });
 * ```
 */
export function introspectionVerifier<Who extends Caller>(
  options: IntrospectionVerifierOptions & CallerOption<Who>,
): Verify<Who>;
export function introspectionVerifier(options: IntrospectionVerifierOptions): Verify<TokenCaller>;
export function introspectionVerifier(
  options: IntrospectionVerifierOptions & Partial<CallerOption<Caller>>,
): Verify {
  const { clientId, clientSecret, issuer, cacheSeconds = 30, fetch = globalFetch } = options;
  const rules = { issuer, ...checkedOptions(options) };
  if (issuer !== undefined) checkIssuer(issuer);
  if (!Number.isFinite(cacheSeconds) || cacheSeconds < 0)
    throw new Error(`Invalid cacheSeconds: ${cacheSeconds}; expected a number, 0 or more`);
  if (!clientId || !clientSecret) throw new Error('Invalid clientId or clientSecret: it is empty');
  const endpoint = { url: secureUrl(options.endpoint, 'endpoint'), clientId, clientSecret, fetch };
  const answers = new AnswerCache(cacheSeconds * 1000);
  return verifierOf(async (token) => {
    const claims = await answers.get(token, () => introspect(token, endpoint));
    checkClaims(claims, rules);
    return claims;
  }, options);
}
