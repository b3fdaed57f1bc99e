import { maxDelayMs } from '@mcp/kit';

/** The limits of one HTTP endpoint. Times are in milliseconds. */
export interface HttpLimits {
  /** Maximum number of bytes in the body of a request. Default: 16 Mi. */
  readonly maxBodyBytes: number;
  /**
   * Maximum number of requests that run at once, not counting requests whose answer has become a stream. Also
   * the maximum within one session, where requests with streams do count. Default: 1,000.
   */
  readonly maxRequests: number;
  /**
   * Maximum number of open streams that clients listen on. When it is reached and a client opens one more,
   * the newest stream of the client with the most streams ends. If that would leave that client with fewer
   * streams than the client that opens one, the new stream is refused instead. Default: 10,000.
   */
  readonly maxStreams: number;
  /**
   * Maximum number of bytes of answers that clients have not read yet. Above this number, clients that read
   * nothing are disconnected; if that does not suffice, requests are refused with 503. Default: 256 Mi.
   */
  readonly maxUnreadBytes: number;
  /**
   * Maximum number of bytes of answers that one client has not read yet. A session counts as one client;
   * without a session, a connection does. Above this number, further requests of the client are refused with
   * 503. Default: 64 Mi.
   */
  readonly maxUnreadBytesPerClient: number;
  /**
   * Maximum number of sessions, in revisions up to 2025-11-25; sessions of HTTP+SSE are counted separately.
   * If a client opens one more, an idle session ends: the client's own session with the longest idle time or,
   * if there is none, a session of a client that has more sessions than `maxSessions` divided by the number
   * of clients. Default: 1,000.
   */
  readonly maxSessions: number;
  /**
   * Maximum number of sessions of one principal at one address. Without authorization, or with a token that
   * clients share, the limit is per address, and does not apply to loopback addresses. IPv6 addresses with
   * the same first 64 bits count as one address. If one more session is opened, the session with the longest
   * idle time ends. Default: 100.
   */
  readonly maxSessionsPerClient: number;
  /**
   * A session that is not used for this long ends; one of `sealedSessions` leaves the memory, and its id can
   * still be used. Default: 1,800,000 (30 minutes).
   */
  readonly sessionIdleMs: number;
  /** An id of `sealedSessions` expires this long after its `initialize`. Default: 86,400,000 (a day). */
  readonly sessionLifetimeMs: number;
  /** Maximum characters of events that a session keeps for a client that reconnects. Default: 1 Mi. */
  readonly maxReplayLength: number;
  /** The interval at which an idle stream sends a comment, so that proxies keep it open. Default: 25,000. */
  readonly keepAliveMs: number;
  /**
   * The interval at which the token of an open stream is verified again. A stream ends if its token is not
   * valid any more, has another principal, or has lost a scope. If the token has expired, as `expiresAt` of
   * its caller says, or if `verify` has failed four times in a row, only a stream on which a client listens
   * ends: a request that is being answered goes on. Default: 15,000.
   */
  readonly recheckMs: number;
  /** A client that reads nothing for this long is disconnected. Default: 60,000. */
  readonly stalledMs: number;
  /**
   * A request's stream that has been open this long is closed, and its client is asked to reconnect for the
   * remaining messages. Applies to the revision whose streams can be resumed (2025-11-25). Default: never.
   */
  readonly maxStreamMs: number | undefined;
  /**
   * How long a client waits to reconnect after its stream was closed by `maxStreamMs`, or because the
   * endpoint closes. Default: 1,000.
   */
  readonly retryMs: number;
  /**
   * Before the endpoint closes, it still answers requests for this many milliseconds, while `/readyz` of
   * `health` fails, so that load balancers find another process. Default: 0.
   */
  readonly drainMs: number;
  /**
   * When the endpoint closes, running requests have this many milliseconds to finish. After that, their
   * answers have the same time to be delivered. Default: 5,000.
   */
  readonly graceMs: number;
  /**
   * With `shared`: a process that gives no sign of life for this long may count as ended, and the streams of
   * its requests then end with an error, at most this much later. The same in all processes. Default: 10,000.
   */
  readonly leaseMs: number;
}

export const defaultLimits: HttpLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxRequests: 1_000,
  maxStreams: 10_000,
  maxUnreadBytes: 256 * 1024 * 1024,
  maxUnreadBytesPerClient: 64 * 1024 * 1024,
  maxSessions: 1_000,
  maxSessionsPerClient: 100,
  sessionIdleMs: 30 * 60_000,
  sessionLifetimeMs: 24 * 60 * 60_000,
  maxReplayLength: 1024 * 1024,
  keepAliveMs: 25_000,
  recheckMs: 15_000,
  stalledMs: 60_000,
  maxStreamMs: undefined,
  retryMs: 1_000,
  drainMs: 0,
  graceMs: 5_000,
  leaseMs: 10_000,
};

/** The limits that are delays of timers. */
const delays: ReadonlySet<string> = new Set(
  'keepAliveMs recheckMs stalledMs maxStreamMs retryMs drainMs graceMs leaseMs'.split(' '),
);

/**
 * The limits, with the default of each that is not given; a time that is longer than the delay of a timer may
 * be is shortened to that. Throws an `Error` for a limit that is not a number of 0 or more.
 */
export function limitsOf(given: Partial<HttpLimits> = {}): HttpLimits {
  const limits: { [name: string]: number } = {};
  for (const [name, value] of Object.entries<unknown>(given)) {
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0))
      throw new Error(
        `Invalid \`limits.${name}\`: ${String(value as string)}; expected a number of 0 or more`,
      );
    limits[name] = delays.has(name) ? Math.min(value, maxDelayMs) : value;
  }
  return { ...defaultLimits, ...limits };
}
