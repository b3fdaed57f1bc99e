import type { DpopKey } from './keys/dpop.ts';
import type { Tokens } from './tokens/tokens.ts';

/** A token that requests are made with, and the key that it is bound to. */
export interface Access {
  readonly tokens: Tokens;
  readonly dpopKey: DpopKey | undefined;
  /** Where it comes from: a token of an earlier run, a refresh token, or a new grant. */
  readonly origin: 'store' | 'refresh' | 'grant';
}

/** The headers that present the token in one request. A proof is never used twice. */
export async function accessHeaders(
  { tokens, dpopKey }: Access,
  method: string,
  url: URL,
): Promise<{ readonly [name: string]: string }> {
  const authorization = `${tokens.type} ${tokens.accessToken}`;
  if (!dpopKey || tokens.type !== 'DPoP') return { authorization };
  return { authorization, dpop: await dpopKey.proof(method, url, tokens.accessToken) };
}

const maxRenewalMarginMs = 60_000;

/**
 * Whether a token is about to expire: within a minute, or a quarter of its lifetime where that is shorter.
 */
export function isExpiring({ issuedAt, expiresAt }: Tokens, now = Date.now()): boolean {
  if (expiresAt === undefined) return false;
  return now > expiresAt - Math.min(maxRenewalMarginMs, (expiresAt - issuedAt) / 4);
}
