import type { LogLevel } from '../define/call.ts';
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
  /** What the client calls itself; defaults to this package and version 0. */
  readonly name?: string;
  readonly version?: string;
  /** The protocol version to speak; defaults to the newest that both sides have. */
  readonly protocolVersion?: string;
  /** Milliseconds to wait for a response, or for the next progress; defaults to 60,000. */
  readonly timeoutMs?: number;
  /** Milliseconds to wait for a response in all, however much progress there is; defaults to an hour. */
  readonly maxTimeoutMs?: number;
  /** Milliseconds that a server may take to answer the probe before it counts as an older one; defaults to 5,000. */
  readonly probeTimeoutMs?: number;
  /** Keeps how each server opens; defaults to a store for this process, with verdicts of at most a day. */
  readonly verdicts?: Verdicts;
  /** How long to wait before a lost subscription is opened again; defaults to 500 ms, doubled up to 30 s. */
  readonly backoff?: Backoff;
  /** The most pages of a list; defaults to 1,000. */
  readonly maxPages?: number;
  /** Requests log messages of at least this level. */
  readonly logLevel?: LogLevel;
  /** Called with each log message. */
  log?(message: LogMessage): void;
  /** Called with what came and belongs to no request, and with tools that are left out. */
  warn?(message: string): void;
  /** Called after each end of a connection. A client that can connect again does so with its next request. */
  closed?(reason: Error | undefined): void;
}
