import type { Identity } from './request-meta.ts';

/** How one request is made. */
export interface CallOptions {
  /** Cancels the request; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for a response, or for the next progress. Defaults to the client's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** Milliseconds to wait in all, however much progress there is. Defaults to the client's `maxTimeoutMs`. */
  readonly maxTimeoutMs?: number;
  /** Called with each progress notification of the request. */
  readonly progress?: (done: number, total?: number, message?: string) => void;
  /** What the client says of itself in this request, at 2026-07-28. Defaults to the client's own. */
  readonly identity?: Identity;
  /** Called with the id of the task that the call has become, for hosts that keep it. */
  readonly task?: (taskId: string) => void;
}
