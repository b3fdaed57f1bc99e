import type { Id, JsonObject } from '../jsonrpc/message.ts';
import type { Peer } from '../jsonrpc/peer.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How long to wait for an answer, or for the next sign of progress. */
  readonly timeoutMs?: number;
  /** How long to wait in all, however much progress there is. */
  readonly maxTimeoutMs?: number;
  readonly progress?: (done: number, total?: number, message?: string) => void;
}

const usualTimeoutMs = 60_000;
const usualMaxTimeoutMs = 60 * 60_000;

interface Waiting {
  readonly progress: CallOptions['progress'];
  alive(): void;
}

/** The requests a client waits for: with timeouts, cancellation and progress. */
export class Requests {
  readonly #peer: Peer;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<Id, Waiting>();

  constructor(peer: Peer, timeoutMs: number = usualTimeoutMs) {
    this.#peer = peer;
    this.#timeoutMs = timeoutMs;
  }

  /** Sends a request whose parameters may depend on its id, and gives its result. */
  async ask(method: string, params: (id: Id) => JsonObject, options: CallOptions): Promise<JsonObject> {
    const { signal, timeoutMs = this.#timeoutMs, maxTimeoutMs = usualMaxTimeoutMs, progress } = options;
    signal?.throwIfAborted();
    const { id, result } = this.#peer.request(method, params);
    const giveUp = (reason: unknown) => {
      // An abandoned handshake has nothing to cancel.
      if (method !== 'initialize') {
        this.#peer.notify('notifications/cancelled', { requestId: id, reason: String(reason) });
      }
      this.#peer.abandon(id, reason);
    };
    const late = (ms: number) => () => giveUp(new Error(`No answer to ${method} within ${ms} ms`));
    const aborted = () => giveUp(signal?.reason);
    const deadline = setTimeout(late(maxTimeoutMs), maxTimeoutMs);
    let timer = setTimeout(late(timeoutMs), timeoutMs);
    signal?.addEventListener('abort', aborted, { once: true });
    this.#waiting.set(id, {
      progress,
      alive: () => {
        clearTimeout(timer);
        timer = setTimeout(late(timeoutMs), timeoutMs);
      },
    });
    try {
      return refuseUnknownType(method, await result);
    } finally {
      clearTimeout(timer);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', aborted);
      this.#waiting.delete(id);
    }
  }

  /** Takes a `notifications/progress`. */
  progressed({ progressToken, progress, total, message }: JsonObject): void {
    const waiting = this.#waiting.get(progressToken as Id);
    waiting?.alive();
    waiting?.progress?.(progress as number, total as number | undefined, message as string | undefined);
  }
}

function refuseUnknownType(method: string, answer: JsonObject): JsonObject {
  const type = answer['resultType'];
  if (type === undefined || type === 'complete' || type === 'input_required') return answer;
  throw new Error(`The server answered ${method} with a result of unknown type ${JSON.stringify(type)}`);
}
