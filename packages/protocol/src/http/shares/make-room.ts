import { type HttpReply, refuse } from '../wire/http-message.ts';
import type { HttpLimits } from '../wire/limits.ts';
import { local } from './client-key.ts';

/** The members of a session that decide whether the session may end to make room for another session. */
export interface SessionPlace {
  readonly client: string;
  /** Whether the session may be ended now. */
  readonly idle: boolean;
  /** Whether the client has used the session after its handshake. */
  readonly used: boolean;
  readonly lastUsed: number;
}

/**
 * Makes room for one more session of `client`. At `maxSessionsPerClient`, ends an idle session of this
 * client. At `maxSessions`, ends an idle session of this client or, if there is none, of a client with more
 * than its share, which is `maxSessions` divided by the number of clients; with `reopens`, of any client,
 * because the session can be opened again. Returns false if no such session is idle.
 */
export function makeRoom<P extends SessionPlace>(
  client: string,
  places: readonly P[],
  { maxSessions, maxSessionsPerClient }: HttpLimits,
  end: (place: P) => void,
  reopens = false,
): boolean {
  const own = places.filter((each) => each.client === client);
  const isOver = client !== local && own.length >= maxSessionsPerClient;
  if (!isOver && places.length < maxSessions) return true;
  const others = () =>
    longestIdleOverShare(client, places, maxSessions) ?? (reopens ? longestIdle(places) : undefined);
  const found = longestIdle(own) ?? (isOver ? undefined : others());
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
 * Returns an idle session of a client that has more sessions than its share; prefers the client with the most
 * sessions. The share of each client is `maxSessions` divided by the number of clients with sessions,
 * `client` included. Undefined if all sessions of such clients are busy.
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
 * The idle session that has been idle for the longest time; undefined if all are busy. A session that was
 * never used after its handshake counts as idle for longer, so that a client that opens many sessions does
 * not end sessions that others use.
 */
function longestIdle<P extends SessionPlace>(places: readonly P[]): P | undefined {
  const idleSince = ({ used, lastUsed }: SessionPlace) => (used ? lastUsed : lastUsed - unusedMs);
  const [first, ...others] = places.filter(({ idle }) => idle);
  return first && others.reduce((found, each) => (idleSince(each) < idleSince(found) ? each : found), first);
}

/** Milliseconds added to the idle time of a session that was never used. */
const unusedMs = 60_000;
