import { RpcError } from '../../jsonrpc/error.ts';
import {
  type Id,
  type JsonObject,
  notificationText,
  requestText,
  type Response,
} from '../../jsonrpc/message.ts';
import { PendingRequests } from '../../jsonrpc/pending-requests.ts';

/** Requests from the server to its client, up to 2025-11-25. */
export class ClientRequests {
  readonly #pending = new PendingRequests();
  /** Requests that wait for the client's `notifications/initialized`. */
  readonly #held = new Map<Id, () => void>();
  #ready = false;

  get size(): number {
    return this.#pending.size;
  }

  /** The client is initialized: sends the waiting requests, and later ones immediately. */
  ready(): void {
    this.#ready = true;
    for (const send of this.#held.values()) send();
    this.#held.clear();
  }

  /** Sends a request and resolves with its result; rejects when `signal` is aborted, or after `timeoutMs`. */
  async ask(
    method: string,
    params: JsonObject | undefined,
    { send, signal, timeoutMs }: { send: (text: string) => void; signal: AbortSignal; timeoutMs: number },
  ): Promise<JsonObject> {
    signal.throwIfAborted();
    const { id, result } = this.#pending.open((id) => {
      const request = () => send(requestText(id, method, params));
      if (this.#ready) request();
      else this.#held.set(id, request);
    });
    const giveUp = (reason: Error) => {
      if (!this.#held.delete(id)) {
        send(notificationText('notifications/cancelled', { requestId: id, reason: reason.message }));
      }
      this.#pending.abandon(id, reason);
    };
    const aborted = () => giveUp(new Error('The request that needs the answer was cancelled'));
    const timer = setTimeout(
      () => giveUp(new Error(`No answer to ${method} within ${timeoutMs} ms`)),
      timeoutMs,
    );
    signal.addEventListener('abort', aborted, { once: true });
    try {
      return await result;
    } catch (error) {
      if (error instanceof RpcError)
        throw new Error(`The client refused ${method}: ${error.message}`, { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }

  /** Takes the client's response; false when no request waits for it. */
  settle(response: Response): boolean {
    return this.#pending.settle(response);
  }

  close(): void {
    this.#held.clear();
    this.#pending.close();
  }
}
