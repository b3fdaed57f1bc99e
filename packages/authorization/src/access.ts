import type { DpopKey } from './tokens/dpop-key.ts';
import type { Tokens } from './tokens/tokens.ts';

/** An access token for the requests to a server, and the key that the token is bound to, if any. */
export interface Access {
  readonly tokens: Tokens;
  readonly dpopKey: DpopKey | undefined;
  /** How the token was obtained: from the store, by a refresh token, or by a new grant. */
  readonly origin: 'store' | 'refresh' | 'grant';
}

const maxRenewalMarginMs = 60_000;

/** Whether a token expires soon: within a minute or, if that is shorter, within a quarter of its lifetime. */
export function isExpiring({ issuedAt, expiresAt }: Tokens): boolean {
  if (expiresAt === undefined) return false;
  return Date.now() > expiresAt - Math.min(maxRenewalMarginMs, (expiresAt - issuedAt) / 4);
}
