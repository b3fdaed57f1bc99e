import { callSafely, emitWarning, messageOf, oneLine } from '@mcp/kit';
import type { Caller } from '@mcp/protocol';
import { InvalidProof, type TokenUse, type Verify } from '@mcp/protocol/web';
import { boundKeyOf } from './dpop/bound-key.ts';
import { ProofChecker } from './dpop/proof-checker.ts';
import { type CallerOption, checkedOptions, type VerifierOptions } from './options.ts';
import { callerOf, type Claims } from './tokens/caller-of.ts';
import { TokenRefused } from './tokens/token-refused.ts';

const maxTokenLength = 16 * 1024;
const maxReasonLength = 900;

/**
 * The function `verify` of an endpoint. `claimsOf` returns the claims of a token that is valid here, and
 * throws a `TokenRefused` for other tokens.
 */
export function verifierOf(
  claimsOf: (token: string) => Promise<Claims>,
  options: VerifierOptions & Partial<CallerOption<Caller>>,
): Verify {
  const { dpop, onRefused } = options;
  const failed = (error: unknown) => emitWarning(`The callback "onRefused" has failed: ${messageOf(error)}`);
  const { clockTolerance } = checkedOptions(options);
  const proofs = dpop && new ProofChecker(dpop === 'required', clockTolerance);
  const verify = async (token: string, use: TokenUse): Promise<Caller | undefined> => {
    try {
      if (token.length > maxTokenLength)
        throw new TokenRefused(`The token is longer than ${maxTokenLength} characters`);
      const claims = await claimsOf(token);
      const caller = callerOf(claims, clockTolerance);
      await checkBinding(token, use, { key: boundKeyOf(claims), proofs });
      const who = options.caller ? await options.caller(caller) : caller;
      if (!who)
        throw new TokenRefused('The function `caller` of the options returned no caller for this token');
      return who;
    } catch (error) {
      if (error instanceof TokenRefused || error instanceof InvalidProof)
        // Some reasons quote text of a client without a valid token, so control characters are escaped.
        callSafely(() => onRefused?.(oneLine(error.message, maxReasonLength)), failed);
      if (error instanceof TokenRefused) return undefined;
      throw error;
    }
  };
  return Object.assign(verify, { dpop: proofs?.support });
}

/**
 * A bound token is valid only with a proof of its key, in the scheme DPoP: RFC 9449, section 7. For an open
 * stream, the proof came with its request.
 */
async function checkBinding(
  token: string,
  use: TokenUse,
  { key, proofs }: { readonly key: string | undefined; readonly proofs: ProofChecker | undefined },
): Promise<void> {
  if (key !== undefined && !proofs)
    throw new TokenRefused(
      'The token is bound to a key (DPoP); to accept such tokens, set the option "dpop"',
    );
  if (key === undefined && (use.scheme === 'DPoP' || proofs?.support.required))
    throw new TokenRefused('The token is not bound to a key; expected a token for DPoP, with "cnf"');
  if (key !== undefined && use.scheme !== 'DPoP')
    throw new TokenRefused(
      'The token is bound to a key, but came with the scheme Bearer; expected the scheme DPoP',
    );
  if (key !== undefined && !use.again) await proofs?.check(token, use, key);
}
