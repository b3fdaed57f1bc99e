import { VerifierUnavailable } from '@mcp/protocol/web';
import type { CompactJWSHeaderParameters, FlattenedJWSInput, JWTVerifyOptions } from 'jose';
import type { KeySet } from '../keys/key-set.ts';
import type { Keys } from '../keys/load-keys.ts';
import type { Claims } from './caller-of.ts';
import { shown } from './check-claims.ts';
import { TokenRefused } from './token-refused.ts';

/** Maximum number of keys that are tried for one token, if it names none and several keys fit. */
const maxTriedKeys = 4;

/**
 * The claims of a JSON Web Token that one of the keys has signed. Throws a `TokenRefused` for a token that is
 * not signed by them, or breaks one of the rules: type, issuer, audience, times.
 */
export async function verifyJwt(
  token: string,
  keySet: KeySet<Keys>,
  { types, ...rules }: JWTVerifyOptions & { readonly types: readonly string[] },
): Promise<Claims> {
  const arrivedAt = performance.now();
  const { errors, jwtVerify } = await import('jose');
  /** Called after the algorithm in the header was found to be allowed. Only `alg` and `kid` select a key. */
  const keyOf = async (header: CompactJWSHeaderParameters, jws: FlattenedJWSInput) => {
    for (let fetched = await keySet.current(); ; fetched = await keySet.newerThan(fetched)) {
      try {
        return await fetched.keys(header, jws);
      } catch (error) {
        // Keys that were requested before this token came may lack a key that the issuer has added since. So
        // newer keys are fetched; if the keys are newer than the token, it is refused.
        if (!(error instanceof errors.JWKSNoMatchingKey) || fetched.askedAt >= arrivedAt) throw error;
      }
    }
  };
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyOf, rules).catch(
      async (error: unknown) => {
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
        let tried = 0;
        for await (const key of error) {
          try {
            return await jwtVerify(token, key, rules);
          } catch (failure) {
            // A key that cannot be used, such as a short one of RSA, is skipped.
            if (failure instanceof TypeError) continue;
            if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
            if (++tried === maxTriedKeys) break;
          }
        }
        throw error;
      },
    );
    const type = String(protectedHeader.typ ?? '').toLowerCase();
    if (!types.includes(type.replace(/^application\//, '')))
      throw new TokenRefused(
        `The token has the type ${shown(type)}; expected ${types.filter(Boolean).join(' or ')}`,
      );
    return payload;
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Returns the refusal of a token for an error of the token or of its key. If the keys could not be fetched,
 * returns that error unchanged, because the token may be valid.
 */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TokenRefused || error instanceof VerifierUnavailable)
    return error;
  const { claim, payload } = error as { claim?: string; payload?: Claims };
  const value = claim !== undefined && payload ? `: ${shown(payload[claim])}` : '';
  return new TokenRefused(`The token is not valid: ${error.message}${value}`);
}
