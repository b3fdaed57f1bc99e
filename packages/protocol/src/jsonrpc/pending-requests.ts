import { ConnectionClosed, RpcError } from './error.ts';
import type { Id, JsonObject, Response } from './message.ts';

interface Waiting {
  resolve(result: JsonObject): void;
  reject(reason: unknown): void;
}

/** The requests of one side that have no response yet. */
export class PendingRequests {
  readonly #waiting = new Map<Id, Waiting>();
  #nextId = 1;
  #closed: Error | undefined;

  get size(): number {
    return this.#waiting.size;
  }

  /** The ids that wait for their responses. */
  ids(): Iterable<Id> {
    return this.#waiting.keys();
  }

  /** Calls `send` with an unused id, and resolves with the result. */
  open(send: (id: Id) => void): { id: Id; result: Promise<JsonObject> } {
    const id = this.#nextId++;
    const { promise, resolve, reject } = withResolvers<JsonObject>();
    if (this.#closed) {
      reject(this.#closed);
    } else {
      this.#waiting.set(id, { resolve, reject });
      send(id);
    }
    return { id, result: promise };
  }

  /** Settles the request that a response answers; false if no request waits for it. */
  settle(response: Response): boolean {
    const waiting = response.id === undefined ? undefined : this.#waiting.get(response.id);
    if (!waiting) return false;
    this.#waiting.delete(response.id as Id);
    if (response.error) {
      const { code, message, data } = response.error;
      waiting.reject(new RpcError(code, message, data));
    } else {
      waiting.resolve(response.result ?? {});
    }
    return true;
  }

  /** Stops waiting for one request; a late response is unknown. */
  abandon(id: Id, reason: unknown): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(reason);
  }

  close(reason: Error = new ConnectionClosed('The connection has ended')): void {
    this.#closed ??= reason;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }
}

// Promise.withResolvers needs Node 22.
function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((...functions) => ([resolve, reject] = functions));
  return { promise, resolve, reject };
}
