import type { HttpLimits } from '../wire/limits.ts';
import { local } from './client-key.ts';

/** A session, as far as its place may be needed for another. */
export interface Place {
  readonly client: string;
  /** Whether it may be ended now. */
  readonly idle: boolean;
  /** Whether a request has followed the handshake. */
  readonly used: boolean;
  readonly lastUsed: number;
}

/**
 * Ends an idle session if a client may have one more only in its place: one of the same client, or else of a
 * client that has more than an equal share. False where all of these are busy.
 */
export function makeRoom<P extends Place>(
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

/**
 * An idle session of a client that has more than an equal share of `maxSessions`, the client with the most
 * sessions first; `client` counts as one of the clients. Undefined if all these sessions are busy.
 */
function longestIdleOverShare<P extends Place>(
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
 * The session among these with the longest idle time; undefined if all are busy. One that was never used
 * after its handshake counts as idle for longer, so that a client which opens many ends none in use.
 */
function longestIdle<P extends Place>(places: readonly P[]): P | undefined {
  const idleSince = ({ used, lastUsed }: Place) => (used ? lastUsed : lastUsed - unusedMs);
  const [first, ...others] = places.filter(({ idle }) => idle);
  return first && others.reduce((found, each) => (idleSince(each) < idleSince(found) ? each : found), first);
}

/** Milliseconds added to the idle time of a session that was never used. */
const unusedMs = 60_000;
