import { type HttpReply, refuse } from '../wire/http-message.ts';
import type { HttpLimits } from '../wire/limits.ts';
import { local } from './client-key.ts';

/** The members of a session that decide whether it may end to make room for another one. */
export interface SessionPlace {
  readonly client: string;
  /** Whether it may be ended now. */
  readonly idle: boolean;
  /** Whether a request has followed the handshake. */
  readonly used: boolean;
  readonly lastUsed: number;
}

/**
 * Makes room for one more session of `client`. If a limit is reached, ends an idle session: one of the same
 * client or, at `maxSessions`, one of a client with more than an equal share. False if all of these are busy.
 */
export function makeRoom<P extends SessionPlace>(
  client: string,
  places: readonly P[],
  { maxSessions, maxSessionsPerClient }: HttpLimits,
  end: (place: P) => void,
): boolean {
  const own = places.filter((each) => each.client === client);
  const isOver = client !== local && own.length >= maxSessionsPerClient;
  if (!isOver && places.length < maxSessions) return true;
  const found = longestIdle(own) ?? (isOver ? undefined : longestIdleOverShare(client, places, maxSessions));
  if (found) end(found);
  return found !== undefined;
}

/** The reply to a client for which `makeRoom` returns false. */
export function noRoom({ maxSessions, maxSessionsPerClient }: HttpLimits): HttpReply {
  const limits = `${maxSessions} in all and ${maxSessionsPerClient} for each client`;
  const message = `Too many sessions at once; expected at most ${limits}; end one, or try again later`;
  return refuse(503, message, { 'retry-after': '60' });
}

/**
 * Returns an idle session of a client that has more than an equal share of `maxSessions`, of the client with
 * the most sessions if possible. The share is equal among all clients with sessions, and `client`. Undefined
 * if all these sessions are busy.
 */
function longestIdleOverShare<P extends SessionPlace>(
  client: string,
  places: readonly P[],
  maxSessions: number,
): P | undefined {
  const counts = new Map([[client, 0]]);
  for (const each of places) counts.set(each.client, (counts.get(each.client) ?? 0) + 1);
  const share = maxSessions / counts.size;
  const most = [...counts].filter(([, count]) => count > share).toSorted(([, a], [, b]) => b - a);
  for (const [other] of most) {
    const found = longestIdle(places.filter((each) => each.client === other));
    if (found) return found;
  }
  return undefined;
}

/**
 * The session among these with the longest idle time; undefined if all are busy. The idle time of a session
 * that was never used after its handshake counts as longer, so that a client that opens many sessions does
 * not end those in use.
 */
function longestIdle<P extends SessionPlace>(places: readonly P[]): P | undefined {
  const idleSince = ({ used, lastUsed }: SessionPlace) => (used ? lastUsed : lastUsed - unusedMs);
  const [first, ...others] = places.filter(({ idle }) => idle);
  return first && others.reduce((found, each) => (idleSince(each) < idleSince(found) ? each : found), first);
}

/** Milliseconds added to the idle time of a session that was never used. */
const unusedMs = 60_000;
