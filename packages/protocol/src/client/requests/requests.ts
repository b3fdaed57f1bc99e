import type { Id, JsonObject } from '../../jsonrpc/message.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import type { CallOptions } from './call-options.ts';

const defaultTimeoutMs = 60_000;
const defaultMaxTimeoutMs = 60 * 60_000;

/** What {@link Requests.send} sends. */
export interface Outgoing {
  readonly method: string;
  /** The parameters, which may depend on the request's id. */
  readonly params: (id: Id) => JsonObject;
  readonly headers?: { readonly [name: string]: string };
}

interface Waiting {
  readonly method: string;
  readonly progress: CallOptions['progress'];
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  readonly giveUpAt: number;
  timer: NodeJS.Timeout;
}

/** The requests that a connection waits for: with timeouts, cancellation and progress. */
export class Requests {
  readonly #peer: Peer;
  readonly #timeoutMs: number;
  readonly #maxTimeoutMs: number;
  readonly #waiting = new Map<Id, Waiting>();

  constructor(peer: Peer, timeoutMs = defaultTimeoutMs, maxTimeoutMs = defaultMaxTimeoutMs) {
    this.#peer = peer;
    this.#timeoutMs = timeoutMs;
    this.#maxTimeoutMs = maxTimeoutMs;
  }

  /** Sends a request and returns its result. */
  async send({ method, params, headers }: Outgoing, options: CallOptions): Promise<JsonObject> {
    const { signal, timeoutMs = this.#timeoutMs, maxTimeoutMs = this.#maxTimeoutMs, progress } = options;
    signal?.throwIfAborted();
    const { id, result } = this.#peer.request(method, params, headers);
    const first = Math.min(timeoutMs, maxTimeoutMs);
    const timer = setTimeout(() => this.#timedOut(id, method, first), first);
    const giveUpAt = progress ? performance.now() + maxTimeoutMs : 0;
    this.#waiting.set(id, { method, progress, timeoutMs, maxTimeoutMs, giveUpAt, timer });
    const aborted = signal && (() => this.#giveUp(id, method, signal.reason));
    if (aborted) signal.addEventListener('abort', aborted, { once: true });
    try {
      return await result;
    } finally {
      clearTimeout(this.#waiting.get(id)?.timer);
      this.#waiting.delete(id);
      if (aborted) signal.removeEventListener('abort', aborted);
    }
  }

  /** Stops the clock of a request, or of all of them, until `until` settles. The hard maximum goes on. */
  held(id: Id | undefined, until: Promise<unknown>): void {
    for (const [key, waiting] of this.#waiting) {
      if (id !== undefined && key !== id) continue;
      const { timeoutMs, maxTimeoutMs } = waiting;
      this.#restart(key, waiting, maxTimeoutMs);
      const resume = () => {
        if (this.#waiting.get(key) === waiting)
          this.#restart(key, waiting, Math.min(timeoutMs, maxTimeoutMs));
      };
      until.then(resume, resume);
    }
  }

  /** Takes a `notifications/progress`. */
  progressed({ progressToken, progress, total, message }: JsonObject): void {
    const waiting = isToken(progressToken) ? this.#waiting.get(progressToken) : undefined;
    if (!waiting?.progress || typeof progress !== 'number') return;
    this.#extend(progressToken as Id, waiting);
    waiting.progress(
      progress,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  }

  #extend(id: Id, waiting: Waiting): void {
    const left = Math.min(waiting.timeoutMs, waiting.giveUpAt - performance.now());
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(() => this.#timedOut(id, waiting.method, waiting.timeoutMs), left);
  }

  #restart(id: Id, waiting: Waiting, ms: number): void {
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(() => this.#timedOut(id, waiting.method, ms), ms);
  }

  #timedOut(id: Id, method: string, ms: number): void {
    const unread = this.#peer.lastUnread;
    const hint = unread === undefined ? '' : `; the server has sent what is no message: ${unread}`;
    this.#giveUp(id, method, new Error(`No response to ${method} within ${ms} ms${hint}`));
  }

  #giveUp(id: Id, method: string, reason: unknown): void {
    // An abandoned handshake has nothing to cancel.
    if (method !== 'initialize') {
      const text = reason instanceof Error ? reason.message : String(reason);
      this.#peer.notify('notifications/cancelled', { requestId: id, reason: text });
    }
    this.#peer.abandon(id, reason);
  }
}

function isToken(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
