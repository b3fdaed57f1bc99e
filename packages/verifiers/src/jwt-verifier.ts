import { quoted } from '@mcp/kit';
import type { Caller } from '@mcp/protocol';
import type { Verify } from '@mcp/protocol/web';
import { KeySet } from './keys/key-set.ts';
import { type Keys, loadKeys } from './keys/load-keys.ts';
import { type CallerOption, checkedOptions, checkIssuer, type VerifierOptions } from './options.ts';
import { globalFetch } from './requests/request-json.ts';
import { secureUrl } from './requests/secure-url.ts';
import type { TokenCaller } from './tokens/caller-of.ts';
import { verifyJwt } from './tokens/verify-jwt.ts';
import { verifierOf } from './verifier.ts';

/** Options of `jwtVerifier`. */
export interface JwtVerifierOptions extends VerifierOptions {
  /** The issuer of the tokens, exactly as they name it in `iss`. */
  readonly issuer: string;
  /** The URL of the issuer's keys. Default: `jwks_uri` in its metadata (RFC 8414, OpenID Connect). */
  readonly jwksUri?: string;
  /** The algorithms of signatures that are accepted. Default: RS, PS, ES with 256, 384, 512 and EdDSA. */
  readonly algorithms?: readonly string[];
  /**
   * Accepts only tokens with this type in their header, as RFC 9068 requires. Default: also `JWT` and none,
   * because many issuers do not follow RFC 9068.
   */
  readonly typ?: 'at+jwt';
}

/** Algorithms with a public key. With a shared secret, whoever verifies tokens could also make them. */
const known = ['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`));
known.push('EdDSA', 'Ed25519');

/**
 * Verifies JSON Web Tokens of one issuer: signature, issuer, audience, times, and the proof of a bound token.
 * A token needs `exp` and `sub`. Keys are fetched for the first token, and again, at most every 10 seconds,
 * for a token with an unknown `kid` and in the background when they are 10 minutes old. If that fails, known
 * keys are used for another hour. A token whose key cannot be looked up now is answered with 503.
 * @example
 * ```ts
 * import { jwtVerifier } from '@mcp/verifiers';
 *
 * const verify = jwtVerifier({
 *   issuer: 'https://login.example.com',
 *   audience: 'https://mcp.example.com/mcp',
 * });
 * ```
 */
export function jwtVerifier<Who extends Caller>(options: JwtVerifierOptions & CallerOption<Who>): Verify<Who>;
export function jwtVerifier(options: JwtVerifierOptions): Verify<TokenCaller>;
export function jwtVerifier(options: JwtVerifierOptions & Partial<CallerOption<Caller>>): Verify {
  const { issuer, jwksUri, algorithms = known, typ, fetch = globalFetch } = options;
  const { audiences, clockTolerance } = checkedOptions(options);
  checkIssuer(issuer);
  if (typ !== undefined && typ !== 'at+jwt')
    throw new Error(`Invalid typ: ${quoted(String(typ))}; expected at+jwt`);
  if (jwksUri === undefined) secureUrl(issuer, 'issuer');
  else secureUrl(jwksUri, 'jwksUri');
  const unknown = algorithms.find((each) => !known.includes(each));
  if (unknown !== undefined || algorithms.length === 0)
    throw new Error(`Invalid algorithms: "${unknown ?? ''}"; expected some of ${known.join(', ')}`);
  const keySet = new KeySet<Keys>(() => loadKeys({ issuer, jwksUri, fetch }));
  const rules = {
    issuer,
    audience: audiences,
    clockTolerance,
    algorithms: [...algorithms],
    requiredClaims: ['exp', 'sub'],
    types: typ ? [typ] : ['at+jwt', 'jwt', ''],
  };
  return verifierOf((token) => verifyJwt(token, keySet, rules), options);
}
