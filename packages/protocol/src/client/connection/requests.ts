import { messageOf } from '@mcp/kit';
import { ConnectionClosed, RpcError } from '../../jsonrpc/error.ts';
import type { Id, JsonObject, Response } from '../../jsonrpc/message.ts';
import { RequestMap } from '../../jsonrpc/request-map.ts';
import type { CallOptions } from '../call-options.ts';
import { DeadlineTimer } from './deadline-timer.ts';

const defaultTimeoutMs = 60_000;
const defaultMaxTimeoutMs = 60 * 60_000;

export interface Outgoing {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: { readonly [name: string]: string } | undefined;
}

/** A request that waits for its response. The deadlines are times of `performance.now()`. */
interface Pending {
  readonly method: string;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (reason: unknown) => void;
  readonly progress: CallOptions['onProgress'];
  readonly responseText: CallOptions['onResponseText'];
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  /** The deadline that progress does not extend. */
  readonly lastDeadline: number;
  deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly aborted: (() => void) | undefined;
}

/** The functions of a connection that its requests use. */
interface Messages {
  /** The last malformed message, which may have been the response to a request. */
  readonly lastUnread: string | undefined;
  sendRequest(outgoing: Outgoing, source: CallOptions['source']): void;
  notify(method: string, params: JsonObject): void;
}

/** The requests of a connection that wait for their responses: with timeouts, cancellation and progress. */
export class Requests {
  readonly #messages: Messages;
  readonly #timeoutMs: number;
  readonly #maxTimeoutMs: number;
  readonly #pending = new RequestMap<Pending>();
  readonly #timer = new DeadlineTimer((now) => this.#expire(now));
  #nextId: number;
  #closed: Error | undefined;

  constructor(
    messages: Messages,
    timeoutMs = defaultTimeoutMs,
    maxTimeoutMs = defaultMaxTimeoutMs,
    firstId = 1,
  ) {
    refuseNoTime({ timeoutMs, maxTimeoutMs });
    this.#messages = messages;
    this.#timeoutMs = timeoutMs;
    this.#maxTimeoutMs = maxTimeoutMs;
    this.#nextId = firstId;
  }

  /** Returns an id that this connection has not used. */
  nextId(): number {
    return this.#nextId++;
  }

  send(outgoing: Outgoing, options: CallOptions): Promise<JsonObject> {
    // A request makes only this one promise, because each promise takes as long as parsing a short message.
    return new Promise((resolve, reject) => {
      const {
        signal,
        onProgress: progress,
        timeoutMs = this.#timeoutMs,
        maxTimeoutMs = this.#maxTimeoutMs,
      } = options;
      if (!(timeoutMs >= 0 && maxTimeoutMs >= 0)) refuseNoTime({ timeoutMs, maxTimeoutMs });
      signal?.throwIfAborted();
      if (this.#closed) throw this.#closed;
      const { id, method } = outgoing;
      const now = performance.now();
      const lastDeadline = now + maxTimeoutMs;
      const deadline = Math.min(now + timeoutMs, lastDeadline);
      const aborted = signal && (() => this.cancel(id, signal.reason));
      const pending: Pending = {
        method,
        resolve,
        reject,
        progress,
        responseText: options.onResponseText,
        timeoutMs,
        maxTimeoutMs,
        lastDeadline,
        deadline,
        signal,
        aborted,
      };
      this.#add(id, pending, now);
      options.canceller?.((reason) => this.cancel(id, reason));
      try {
        this.#messages.sendRequest(outgoing, options.source);
      } catch (error) {
        this.abandon(id, error);
      }
    });
  }

  /** Handles a response, with its JSON text; returns false if no request waits for it. */
  settle({ id, result, error }: Response, text?: string): boolean {
    const pending = this.#remove(id);
    if (!pending) return false;
    try {
      if (text !== undefined) pending.responseText?.(text);
    } catch (thrown) {
      pending.reject(thrown);
      return true;
    }
    if (error) pending.reject(new RpcError(error.code, error.message, error.data));
    else pending.resolve(result ?? {});
    return true;
  }

  /** Rejects a request without waiting for its response; a late response is ignored. */
  abandon(id: Id, reason: unknown): void {
    this.#remove(id)?.reject(reason);
  }

  /**
   * After a message that could not be read: rejects the waiting request if only one waits. If several wait,
   * none is rejected, because the message may be the response to any of them. An open stream of notifications
   * is not counted.
   */
  abandonOnly(reason: unknown): void {
    const [only, ...others] = this.#pending
      .entries()
      .filter(([, { method }]) => method !== 'subscriptions/listen');
    if (only && others.length === 0) this.abandon(only[0], reason);
  }

  /** Rejects a request, and sends the server a cancellation. */
  cancel(id: Id, reason: unknown): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    // The specification does not allow `initialize` to be cancelled.
    if (pending.method !== 'initialize') {
      this.#messages.notify('notifications/cancelled', { requestId: id, reason: messageOf(reason) });
    }
    this.abandon(id, reason);
  }

  /** Rejects all requests that wait, and every later request. */
  close(reason: Error = new ConnectionClosed('The connection has ended')): void {
    this.#closed ??= reason;
    for (const [id] of this.#pending.entries()) this.abandon(id, reason);
    this.#timer.clear();
  }

  /**
   * Suspends the timeout of the request `id`, or of all requests, while `until` is pending. `maxTimeoutMs`
   * still applies.
   */
  held(id: Id | undefined, until: Promise<unknown>): void {
    for (const [key, pending] of this.#pending.entries()) {
      if (id !== undefined && key !== id) continue;
      pending.deadline = pending.lastDeadline;
      const resume = () => {
        if (this.#pending.get(key) === pending) this.#restart(pending);
      };
      until.then(resume, resume);
    }
  }

  /** Handles a `notifications/progress`; returns what the progress listener of the request returns. */
  progressed({ progressToken, progress, total, message }: JsonObject): unknown {
    const pending = isToken(progressToken) ? this.#pending.get(progressToken) : undefined;
    if (!pending?.progress || typeof progress !== 'number') return undefined;
    this.#restart(pending);
    return pending.progress(
      progress,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  }

  #add(id: Id, pending: Pending, now: number): void {
    const { signal, aborted, deadline } = pending;
    this.#pending.set(id, pending);
    if (aborted) signal?.addEventListener('abort', aborted, { once: true });
    this.#timer.add(deadline, now);
    if (this.#pending.size === 1) this.#timer.keepAlive(true);
  }

  #remove(id: Id | undefined): Pending | undefined {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id as Id);
    if (pending.aborted) pending.signal?.removeEventListener('abort', pending.aborted);
    if (this.#pending.size === 0) this.#timer.keepAlive(false);
    return pending;
  }

  #restart(pending: Pending): void {
    const now = performance.now();
    pending.deadline = Math.min(now + pending.timeoutMs, pending.lastDeadline);
    this.#timer.add(pending.deadline, now);
  }

  /** Cancels the requests whose deadlines have passed; returns the next deadline. */
  #expire(now: number): number {
    let next = Infinity;
    for (const [id, pending] of this.#pending.entries()) {
      if (pending.deadline <= now) this.#timedOut(id, pending);
      else next = Math.min(next, pending.deadline);
    }
    return next;
  }

  #timedOut(id: Id, { method, deadline, lastDeadline, timeoutMs, maxTimeoutMs }: Pending): void {
    const ms = deadline === lastDeadline ? maxTimeoutMs : timeoutMs;
    const unread = this.#messages.lastUnread;
    const hint = unread === undefined ? '' : `; the server sent an invalid message: ${unread}`;
    // Has the name of an error of `AbortSignal.timeout`, so that callers can tell a timeout from other
    // errors.
    this.cancel(id, new DOMException(`No response to ${method} within ${ms} ms${hint}`, 'TimeoutError'));
  }
}

/** Throws for an invalid timeout: with NaN, a request would never time out. */
function refuseNoTime(times: { readonly [name: string]: number }): void {
  for (const [name, ms] of Object.entries(times)) {
    if (!(ms >= 0))
      throw new RangeError(`Invalid ${name}: ${ms}; expected a number of milliseconds, 0 or more`);
  }
}

function isToken(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
