import { createHash } from 'node:crypto';
import type { Grant, State } from '../store/state.ts';
import { grantIdOf, hashOf, isSame, newId, newToken, nextToken } from './tokens.ts';

// The functions here change the state that they get. `now` is in milliseconds since 1970.

/** Seconds for which an access token is valid. */
export const accessSeconds = 3_600;
const codeMs = 60_000;
/**
 * The time in which a refresh token may come again, because the response with its successor was lost, or
 * because two requests of the client used it at once. Both get the same successor.
 */
const repeatMs = 10_000;
const idleMs = 30 * 86_400_000;
const maxAgeMs = 365 * 86_400_000;
const maxGrants = 100;
/** Access tokens of one grant that are valid at the same time. */
const maxAccess = 10;

const kinds = ['code', 'access', 'refresh'] as const;

/** The tokens of a response. */
export interface IssuedTokens {
  readonly access: string;
  readonly refresh: string;
  readonly grant: Grant;
}

/** A token that cannot be used: `misused` if its grant was revoked because it has been used before. */
export interface Refusal {
  readonly refused: string;
  readonly misused?: Grant;
}

export interface Consent {
  readonly client: Grant['client'];
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge: string;
}

/** Adds a grant, and returns its code. */
export function addGrant(state: State, { redirectUri, challenge, ...consent }: Consent, now: number): string {
  const id = newId();
  const code = newToken('code', id);
  const expiresAt = now + codeMs;
  const grant: Grant = {
    id,
    ...consent,
    createdAt: now,
    usedAt: now,
    code: { hash: hashOf(code), expiresAt, redirectUri, challenge },
    access: [],
  };
  state.grants = [...state.grants, grant].toSorted((a, b) => b.usedAt - a.usedAt).slice(0, maxGrants);
  return code;
}

export interface Redemption {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Exchanges a code for tokens. A code is valid once: any other use ends its grant. */
export function redeemCode(state: State, redemption: Redemption, now: number): IssuedTokens | Refusal {
  const { code, clientId, redirectUri, verifier } = redemption;
  const hash = hashOf(code);
  const grant = grantOf(state, grantIdOf(code, 'code'));
  if (grant?.redeemed === hash) return misused(state, grant, 'The code has been used before');
  if (!grant?.code || !isSame(grant.code.hash, hash)) return { refused: 'The code is unknown' };
  const { expiresAt, redirectUri: expected, challenge } = grant.code;
  delete grant.code;
  grant.redeemed = hash;
  const failed = (reason: string): Refusal => {
    removeGrant(state, grant);
    return { refused: reason };
  };
  if (expiresAt <= now) return failed('The code has expired');
  if (grant.client.id !== clientId) return failed('The code belongs to another client_id');
  if (expected !== redirectUri) return failed('The redirect_uri is not that of the authorization request');
  const computed = createHash('sha256').update(verifier).digest('base64url');
  if (!isSame(computed, challenge)) return failed('The code_verifier does not match the code_challenge');
  return issue(grant, newToken('refresh', grant.id), now);
}

/** Exchanges a refresh token for new tokens. One that was exchanged before ends its grant. */
export function refreshTokens(
  state: State,
  { token, clientId }: { readonly token: string; readonly clientId: string },
  now: number,
): IssuedTokens | Refusal {
  const grant = grantOf(state, grantIdOf(token, 'refresh'));
  if (!grant?.refresh) return { refused: 'The refresh token is unknown, or has expired or been revoked' };
  const hash = hashOf(token);
  const isCurrent = isSame(grant.refresh, hash);
  const { previous } = grant;
  const isRepeated = previous?.hash === hash && now - previous.usedAt < repeatMs;
  if (!isCurrent && !isRepeated) return misused(state, grant, 'The refresh token has been used before');
  if (grant.client.id !== clientId)
    return misused(state, grant, 'The refresh token belongs to another client_id');
  if (isCurrent) grant.previous = { hash, usedAt: now };
  return issue(grant, nextToken(token, grant.id, state.key), now);
}

function issue(grant: Grant, refresh: string, now: number): IssuedTokens {
  const access = newToken('access', grant.id);
  grant.usedAt = now;
  grant.refresh = hashOf(refresh);
  grant.access.push({ hash: hashOf(access), expiresAt: now + accessSeconds * 1_000 });
  grant.access.splice(0, grant.access.length - maxAccess);
  return { access, refresh, grant };
}

function misused(state: State, grant: Grant, refused: string): Refusal {
  removeGrant(state, grant);
  return { refused, misused: grant };
}

/** The grant of a valid access token, and when the token expires. */
export function findAccess(
  state: State,
  token: string,
  now: number,
): { readonly grant: Grant; readonly expiresAt: number } | undefined {
  const grant = grantOf(state, grantIdOf(token, 'access'));
  const hash = hashOf(token);
  if (!grant || isOver(grant, now)) return undefined;
  const found = grant.access.find((each) => isSame(each.hash, hash) && each.expiresAt > now);
  return found && { grant, expiresAt: found.expiresAt };
}

/** Whether the token, of any kind, has the id of a grant: others need no change of the state. */
export function namesGrant(state: State, token: string): boolean {
  return kinds.some((kind) => grantOf(state, grantIdOf(token, kind)) !== undefined);
}

/** Revokes the grant of a token, so that all its tokens end. Returns it; undefined for an unknown token. */
export function revokeToken(state: State, token: string, clientId: string): Grant | undefined {
  const grant = grantOf(state, grantIdOf(token, 'refresh') ?? grantIdOf(token, 'access'));
  const hash = hashOf(token);
  const isKnown = grant?.refresh === hash || grant?.access.some((each) => each.hash === hash);
  if (!grant || !isKnown || grant.client.id !== clientId) return undefined;
  removeGrant(state, grant);
  return grant;
}

/** Removes grants and access tokens that have expired. */
export function removeExpired(state: State, now: number): void {
  state.grants = state.grants.filter((grant) => !isOver(grant, now));
  for (const { access } of state.grants) {
    const valid = access.filter(({ expiresAt }) => expiresAt > now);
    access.splice(0, access.length, ...valid);
  }
}

function isOver({ code, createdAt, usedAt }: Grant, now: number): boolean {
  return now - createdAt > maxAgeMs || now - usedAt > idleMs || (code !== undefined && code.expiresAt <= now);
}

function removeGrant(state: State, grant: Grant): void {
  state.grants = state.grants.filter((each) => each !== grant);
}

function grantOf({ grants }: State, id: string | undefined): Grant | undefined {
  return id === undefined ? undefined : grants.find((each) => each.id === id);
}
