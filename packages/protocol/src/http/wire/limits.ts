/** What one HTTP endpoint spends at the most. Times are milliseconds. */
export interface HttpLimits {
  /** Bytes of one request's body. */
  readonly maxBodyBytes: number;
  /** Requests being answered at once, open streams not counted; of one conversation, those included. */
  readonly maxRequests: number;
  /** Streams open at once that last until somebody ends them: what clients listen on. */
  readonly maxStreams: number;
  /** Conversations of clients up to 2025-11-25. */
  readonly maxSessions: number;
  /** A conversation nobody has used for this long ends. */
  readonly sessionIdleMs: number;
  /** Characters of events that one conversation keeps for a client that comes back. */
  readonly maxReplayLength: number;
  /** A comment keeps a quiet stream alive this often. */
  readonly keepAliveMs: number;
  /** A client that takes nothing of what it is sent for this long is let go. */
  readonly stalledMs: number;
  /**
   * A request's stream that has been open this long is closed, and the client told to come back for the
   * rest; only where it can resume (2025-11-25). Never, unless set.
   */
  readonly maxStreamMs: number | undefined;
  /** How long a client that is told to come back waits. */
  readonly retryMs: number;
  /** How long answers may still take when the endpoint closes, and then how long their delivery. */
  readonly graceMs: number;
}

export const usualLimits: HttpLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxRequests: 1_000,
  maxStreams: 10_000,
  maxSessions: 1_000,
  sessionIdleMs: 30 * 60_000,
  maxReplayLength: 1024 * 1024,
  keepAliveMs: 25_000,
  stalledMs: 60_000,
  maxStreamMs: undefined,
  retryMs: 1_000,
  graceMs: 5_000,
};
