import type { LogLevel } from '../define/call.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { Backoff } from './connection/backoff.ts';
import type { Verdicts } from './handshake/verdicts.ts';
import type { Host } from './host/host.ts';

/** A log message of a server. */
export interface LogMessage {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: unknown;
}

export interface ClientOptions extends Host {
  /** The name and the version that the client sends; default to this package and 0. */
  readonly name?: string;
  readonly version?: string;
  /** The protocol version to speak; defaults to the newest that both sides have. */
  readonly protocolVersion?: string;
  /** Milliseconds to wait for a response, or for the next progress; defaults to 60,000. */
  readonly timeoutMs?: number;
  /** Milliseconds to wait for a response, which progress does not extend; defaults to an hour. */
  readonly maxTimeoutMs?: number;
  /**
   * Milliseconds to wait for the response to the probe; after it the server counts as an older one. Defaults
   * to 5,000.
   */
  readonly probeTimeoutMs?: number;
  /**
   * Stores the handshake that each server needs; defaults to a store for this process.
   * A stored handshake is used for a day.
   */
  readonly verdicts?: Verdicts;
  /** The wait before a lost subscription is opened again; defaults to 500 ms, doubled up to 30 s. */
  readonly backoff?: Backoff;
  /** The maximum number of pages of a list; defaults to 1,000. */
  readonly maxPages?: number;
  /** Requests log messages of at least this level. */
  readonly logLevel?: LogLevel;
  /** Called with each log message. */
  log?(message: LogMessage): void;
  /** Called with each notification that the client itself has no use for. */
  notification?(method: string, params: JsonObject): void;
  /**
   * Called with a description of each message that cannot be used, and of each tool that is omitted from a
   * list.
   */
  warn?(message: string): void;
  /**
   * Called after each end of a connection. The next request opens another one, where the server can be
   * reached again.
   */
  closed?(reason: Error | undefined): void;
}
