import { abortable } from '@mcp/kit';

interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly controller: AbortController;
  callers: number;
}

/** Shares one call between callers with the same key. When all have aborted, the call is aborted. */
export class SingleFlight<Value> {
  readonly #inFlight = new Map<string, Flight<Value>>();

  /** Joins or starts the call with this key. Rejects with the reason of `signal` when `signal` aborts. */
  async join(
    key: string,
    start: (signal: AbortSignal) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value> {
    signal?.throwIfAborted();
    let flight = this.#inFlight.get(key);
    if (!flight) {
      const controller = new AbortController();
      const value = start(controller.signal).finally(() => {
        if (this.#inFlight.get(key) === flight) this.#inFlight.delete(key);
      });
      // Waiting callers get the error. If no caller is left, the rejection must not stay unhandled.
      value.catch(() => {});
      flight = { value, controller, callers: 0 };
      this.#inFlight.set(key, flight);
    }
    const joined = flight;
    joined.callers++;
    try {
      return await (signal ? abortable(joined.value, signal) : joined.value);
    } finally {
      joined.callers--;
      if (joined.callers === 0 && this.#inFlight.get(key) === joined) {
        this.#inFlight.delete(key);
        joined.controller.abort();
      }
    }
  }
}
