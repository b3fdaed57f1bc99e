/** The limits of one HTTP endpoint. Times are in milliseconds. */
export interface HttpLimits {
  /** Bytes of one request's body. Default: 16 Mi. */
  readonly maxBodyBytes: number;
  /** Maximum number of running requests, without open streams; in one session, with them. Default: 1,000. */
  readonly maxRequests: number;
  /** Open streams that clients listen on. Default: 10,000. */
  readonly maxStreams: number;
  /**
   * Bytes of answers that clients have not read yet. Above them, clients that read nothing are disconnected;
   * while that does not suffice, requests are refused with 503. Default: 256 Mi.
   */
  readonly maxUnreadBytes: number;
  /**
   * Bytes of answers that one session, or without a session one connection, has not read yet;
   * above them, its further requests are refused with 503. Default: 64 Mi.
   */
  readonly maxUnreadBytesPerClient: number;
  /**
   * Sessions of clients up to 2025-11-25. Above them, the session with the longest idle time of the same
   * client ends, or one of a client that has more than its share. Default: 1,000.
   */
  readonly maxSessions: number;
  /**
   * Sessions of one principal at one address; without authorization, or where clients share a token, of one
   * address other than the loopback. Above them, the session with the longest idle time ends. Default: 100.
   */
  readonly maxSessionsPerClient: number;
  /** A session that is not used for this long ends. Default: 30 minutes. */
  readonly sessionIdleMs: number;
  /** Characters of events that a session keeps for a client that reconnects. Default: 1 Mi. */
  readonly maxReplayLength: number;
  /** How often an idle stream gets a comment, so that proxies keep it open. Default: 25,000. */
  readonly keepAliveMs: number;
  /** A client that reads nothing for this long is disconnected. Default: 60,000. */
  readonly stalledMs: number;
  /**
   * A request's stream that has been open this long is closed, and its client asked to reconnect for the
   * rest, where the revision can resume (2025-11-25). Default: never.
   */
  readonly maxStreamMs: number | undefined;
  /** How long such a client waits before it reconnects. Default: 1,000. */
  readonly retryMs: number;
  /** How long answers may take when the endpoint closes, and then how long their delivery. Default: 5,000. */
  readonly graceMs: number;
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
  maxReplayLength: 1024 * 1024,
  keepAliveMs: 25_000,
  stalledMs: 60_000,
  maxStreamMs: undefined,
  retryMs: 1_000,
  graceMs: 5_000,
};
