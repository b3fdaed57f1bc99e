import type { JsonSource } from '../../jsonrpc/json-source.ts';
import type { Identity } from './request-meta.ts';

/** Options of one request. */
export interface CallOptions {
  /** Cancels the request; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for a response, or for the next progress. Defaults to the client's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** Milliseconds to wait, which progress does not extend. Defaults to the client's `maxTimeoutMs`. */
  readonly maxTimeoutMs?: number;
  /** Called with each progress notification of the request. */
  readonly progress?: (done: number, total?: number, message?: string) => void;
  /** Called with a function that cancels the request; it costs less than a signal. */
  readonly canceller?: (cancel: (reason: unknown) => void) => void;
  /** The description of the client in this request, at 2026-07-28. Defaults to the client's own. */
  readonly identity?: Identity;
  /**
   * The source of parameters that are passed on for another client; parts that they share with it
   * are sent as its text.
   */
  readonly source?: JsonSource | undefined;
  /** Called with the JSON text of the response, where it came as a message of its own. */
  readonly responseText?: (text: string) => void;
  /** Called with the id of the task if the call becomes one. */
  readonly task?: (taskId: string) => void;
}
