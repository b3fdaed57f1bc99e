import { quoted } from '@mcp/kit';
import type { Caller } from '@mcp/protocol';
import type { Fetch } from '@mcp/protocol/client';
import { hasText, type TokenCaller } from './tokens/caller-of.ts';

/** What the verifiers of an authorization server's tokens have in common. */
export interface VerifierOptions {
  /**
   * The audience of tokens for this server: its URL, as `metadata.resource` names it to clients. A token must
   * name it, or one of several, in `aud`.
   */
  readonly audience: string | readonly [string, ...string[]];
  /**
   * Accepts tokens that are bound to a key of the client (DPoP, RFC 9449): `optional` beside tokens that are
   * not bound, `required` in place of them. The endpoint needs `metadata`. Default: bound tokens are refused.
   */
  readonly dpop?: 'optional' | 'required';
  /** The seconds by which clocks may differ, from 0 to 300. Default: 30. */
  readonly clockTolerance?: number;
  /** Makes the requests to the authorization server. Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /**
   * Called with the reason why a token or a proof is refused: one line, cut after 900 characters, without the
   * token. Text in it that a client chose has its control characters escaped.
   */
  readonly onRefused?: (reason: string) => void;
}

/** The option that decides which caller handlers get for a token, as `call.caller`, in a type of your own. */
export interface CallerOption<Who extends Caller> {
  /**
   * The caller of a token that has been verified; undefined refuses the token. Pass on `expiresAt`, so that a
   * request goes on that is being answered when its token expires. For an open stream, the function is called
   * again every 15 seconds (`limits.recheckMs` of the endpoint).
   */
  readonly caller: (token: TokenCaller) => Who | undefined | Promise<Who | undefined>;
}

const maxClockTolerance = 300;

/** The audiences and the clock tolerance of the options. Throws if they are not valid. */
export function checkedOptions({ audience, dpop, clockTolerance = 30 }: VerifierOptions) {
  const audiences: string[] = [audience].flat();
  if (audiences.length === 0 || !audiences.every(hasText))
    throw new Error('Invalid audience: it is missing or empty; expected the URL of this server');
  if (dpop !== undefined && dpop !== 'optional' && dpop !== 'required')
    throw new Error(`Invalid dpop: ${quoted(String(dpop))}; expected optional or required`);
  // A text of digits would also compare as a number.
  if (!Number.isFinite(clockTolerance) || clockTolerance < 0 || clockTolerance > maxClockTolerance)
    throw new Error(`Invalid clockTolerance: ${clockTolerance}; expected 0 to ${maxClockTolerance} seconds`);
  return { audiences, clockTolerance };
}

/** Throws unless the text can be the `iss` of tokens, without query and fragment: RFC 8414, section 2. */
export function checkIssuer(issuer: string): void {
  if (!hasText(issuer) || /[?#]/.test(issuer))
    throw new Error(
      `Invalid issuer: ${quoted(String(issuer), 100)}; expected the \`iss\` of the tokens, without query and fragment`,
    );
}
