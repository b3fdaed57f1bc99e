import type { JsonSource } from '../jsonrpc/json-source.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { Identity } from './connection/request-meta.ts';

/** Options of one request. */
export interface CallOptions {
  /** Cancels the request; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for a response, or for the next progress. Defaults to the client's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** Maximum milliseconds to wait for a response; progress does not extend it. Default: the client's. */
  readonly maxTimeoutMs?: number;
  /** Called with each progress notification of the request. */
  readonly onProgress?: (done: number, total?: number, message?: string) => void;
  /**
   * Called with a function that cancels the request. This option costs less time per request than `signal`.
   */
  readonly canceller?: (cancel: (reason: unknown) => void) => void;
  /**
   * The name, version and capabilities that this request declares if the revision is 2026-07-28. Default: the
   * client's.
   */
  readonly identity?: Identity;
  /**
   * For a proxy: the parameters that another client sent, with their JSON text. Parameters that the proxy has
   * not changed are sent as this text, because parsing changes numbers that JavaScript cannot represent.
   */
  readonly source?: JsonSource | undefined;
  /** Fields for the `_meta` of the request, such as those of an extension. */
  readonly meta?: JsonObject;
  /** Called with the JSON text of the response; for a task, also with that of each `tasks/get`. */
  readonly onResponseText?: (text: string) => void;
  /** Called with the id of the task if the server continues the call as a task. */
  readonly onTask?: (taskId: string) => void;
}
