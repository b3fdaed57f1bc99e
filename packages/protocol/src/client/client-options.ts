import type { LogLevel } from '../define/call.ts';
import type { Observer } from '../define/observer.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { NegotiationCache } from './connection/negotiation-cache.ts';
import type { HostHandlers } from './host/host-handlers.ts';

/** The first and the longest delay, in milliseconds, between attempts to open a lost subscription again. */
export interface Backoff {
  readonly minMs: number;
  readonly maxMs: number;
}

/** A log message of a server. */
export interface LogMessage {
  readonly level: LogLevel;
  /** The part of the server that has sent the message. */
  readonly logger?: string;
  /** The message: any JSON value, often a string. */
  readonly data: unknown;
}

/** Options of `subscribe` and `watchList`. */
export interface SubscribeOptions {
  /** Called once when the subscription has ended for good, with the reason. `onWarning` gets it too. */
  onLost?(error: Error): void;
}

export interface ClientOptions extends HostHandlers {
  /** The name and the version that the client sends; they default to `@mcp/protocol` and `0`. */
  readonly name?: string;
  readonly version?: string;
  /** The revision to speak, such as `2025-11-25`; defaults to the newest that both sides have. */
  readonly revision?: string;
  /** Milliseconds to wait for a response, or for the next progress; defaults to 60,000. */
  readonly timeoutMs?: number;
  /** Maximum milliseconds to wait for a response; progress does not extend it. Default: an hour. */
  readonly maxTimeoutMs?: number;
  /**
   * The id of the first request of each connection; defaults to 1. A client that takes over the connection
   * of another client gives ids that the other has not used, because late messages may still name those.
   */
  readonly firstId?: number;
  /**
   * Milliseconds to wait for the response to the first `server/discover`; without a response in that time,
   * the client sends `initialize`, as to an older server. Defaults to 5,000.
   */
  readonly probeTimeoutMs?: number;
  /**
   * Stores for a day which handshake each server needs. Default: one store for all clients of this process.
   */
  readonly negotiations?: NegotiationCache;
  /**
   * Is called at the beginning and the end of each request: `openTelemetry()` of `@mcp/protocol/telemetry`
   * writes spans and metrics.
   */
  readonly observe?: Observer;
  /** If it aborts before the client is connected, `Client.connect` rejects with its reason. */
  readonly signal?: AbortSignal;
  /** The wait before a lost subscription is opened again; defaults to 500 ms, doubled up to 30 s. */
  readonly backoff?: Backoff;
  /** The maximum number of pages of a list; defaults to 1,000. */
  readonly maxPages?: number;
  /** Requests log messages of at least this level. */
  readonly logLevel?: LogLevel;
  /** Called with each log message. */
  onLog?(message: LogMessage): void;
  /** Called with each notification that the client does not handle itself. */
  onNotification?(method: string, params: JsonObject): void;
  /**
   * Called with each warning, for example about a message that cannot be used, or about a tool that
   * `listTools` omits because its `x-mcp-header` is invalid.
   */
  onWarning?(message: string): void;
  /**
   * Called with the reason when a connection has ended. With a `Connector`, the next request opens another.
   */
  onClose?(reason: Error | undefined): void;
}
