import { quoted } from '@mcp/kit';
import type { Claims } from './caller-of.ts';
import { TokenRefused } from './token-refused.ts';

/** What claims must say. */
export interface ClaimRules {
  readonly issuer?: string | undefined;
  readonly audiences: readonly string[];
  readonly clockTolerance: number;
}

/**
 * Checks what an introspection endpoint says about a token: issuer, audience and times. The claims of a JSON
 * Web Token are checked by `jose`, together with the signature.
 */
export function checkClaims(claims: Claims, { issuer, audiences, clockTolerance }: ClaimRules): void {
  const refuse = (name: string, expected: string): never => {
    throw new TokenRefused(
      `The claim "${name}" of the token is ${shown(claims[name])}; expected ${expected}`,
    );
  };
  const { iss, aud, exp, nbf } = claims;
  if (issuer !== undefined && iss !== issuer) refuse('iss', quoted(issuer));
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.some((each) => named.includes(each)))
    refuse('aud', audiences.map((each) => quoted(each)).join(' or '));
  const now = Math.floor(Date.now() / 1000);
  if (exp !== undefined && !(typeof exp === 'number' && exp > now - clockTolerance))
    refuse('exp', `a time after ${now}`);
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + clockTolerance))
    refuse('nbf', `a time before ${now}`);
}

/** A claim as a refusal shows it. */
export function shown(claim: unknown): string {
  return claim === undefined
    ? 'missing'
    : quoted(typeof claim === 'string' ? claim : JSON.stringify(claim), 200);
}
