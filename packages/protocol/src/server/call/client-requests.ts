import { abortable } from '@mcp/kit';
import { observeAnswer, type ObservedRequest, type Observer, withObserved } from '../../define/observer.ts';
import { ConnectionClosed, RpcError } from '../../jsonrpc/error.ts';
import {
  type Id,
  type JsonObject,
  notificationText,
  requestText,
  type Response,
} from '../../jsonrpc/message.ts';

interface Pending {
  resolve(result: JsonObject): void;
  reject(reason: Error): void;
}

interface AskOptions {
  readonly send: (text: string) => void;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Who observes the requests, and what is known of all of them. */
interface Observed extends Pick<ObservedRequest, 'revision' | 'route'> {
  readonly observer: Observer;
}

/** Requests from the server to its client, which exist in revisions up to 2025-11-25. */
export class ClientRequests {
  readonly #pending = new Map<Id, Pending>();
  /**
   * The functions that send the requests which must wait until the client has sent
   * `notifications/initialized`.
   */
  readonly #unsent = new Map<Id, () => void>();
  readonly #observed: Observed | undefined;
  readonly #prefix: string | undefined;
  readonly #asks: (() => Promise<void>) | undefined;
  #lastId = 0;
  #ready = false;
  #closed = false;

  /**
   * With a prefix, the ids of the requests are texts that begin with it; otherwise they are numbers. Calls
   * `asks` before each request, which is sent when that resolves.
   */
  constructor(observed?: Observed, prefix?: string, asks?: () => Promise<void>) {
    this.#observed = observed;
    this.#prefix = prefix;
    this.#asks = asks;
  }

  /** Whether a request waits for the response with this id. */
  awaits(id: Id | undefined): boolean {
    return id !== undefined && this.#pending.has(id);
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Called when the client is initialized: sends the waiting requests. Later ones are sent immediately. */
  ready(): void {
    this.#ready = true;
    for (const send of this.#unsent.values()) send();
    this.#unsent.clear();
  }

  /** Sends a request; rejects if the client refuses, `signal` is aborted, or `timeoutMs` have passed. */
  async ask(method: string, params: JsonObject | undefined, options: AskOptions): Promise<JsonObject> {
    options.signal.throwIfAborted();
    if (this.#asks) await abortable(this.#asks(), options.signal);
    if (this.#closed) throw closed();
    const count = ++this.#lastId;
    const id = this.#prefix === undefined ? count : `${this.#prefix}${count}`;
    if (!this.#observed) return this.#ask(id, method, params, options);
    const { observer, revision, route } = this.#observed;
    const observation = observer.sent({ id, method, params: params ?? {}, revision, route });
    const observed = observation.meta ? withObserved(params ?? {}, observation.meta) : params;
    const { signal } = options;
    return observeAnswer(
      observation,
      () => this.#ask(id, method, observed, options),
      () => signal.aborted,
    );
  }

  async #ask(
    id: Id,
    method: string,
    params: JsonObject | undefined,
    { send, signal, timeoutMs }: AskOptions,
  ): Promise<JsonObject> {
    const giveUp = (reason: Error) => {
      if (!this.#unsent.delete(id)) {
        send(notificationText('notifications/cancelled', { requestId: id, reason: reason.message }));
      }
      const pending = this.#pending.get(id);
      // If the response still arrives after this, it is handled like a response to an unknown request.
      this.#pending.delete(id);
      pending?.reject(reason);
    };
    const aborted = () =>
      giveUp(new Error(`The request that waited for the answer to ${method} was cancelled`));
    const timer = setTimeout(
      () => giveUp(new Error(`No answer to ${method} within ${timeoutMs} ms`)),
      timeoutMs,
    );
    signal.addEventListener('abort', aborted, { once: true });
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        const request = () => send(requestText(id, method, params));
        if (this.#ready) request();
        else this.#unsent.set(id, request);
      });
    } catch (error) {
      if (error instanceof RpcError)
        throw new Error(`The client refused ${method}: ${error.message}`, { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }

  /** Takes a response of the client; returns false if no request waits for it. */
  settle({ id, result, error }: Response): boolean {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (!pending) return false;
    this.#pending.delete(id as Id);
    if (error) pending.reject(new RpcError(error.code, error.message, error.data));
    else pending.resolve(result ?? {});
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#unsent.clear();
    for (const pending of this.#pending.values()) pending.reject(closed());
    this.#pending.clear();
  }
}

function closed(): ConnectionClosed {
  return new ConnectionClosed('The connection has ended');
}
