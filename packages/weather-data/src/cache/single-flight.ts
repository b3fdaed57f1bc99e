interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly controller: AbortController;
  callers: number;
}

/**
 * Shares one call between concurrent callers with the same key. The call is aborted when all callers have
 * aborted.
 */
export class SingleFlight<Value> {
  readonly #inFlight = new Map<string, Flight<Value>>();

  /**
   * Returns the result of `start`, or of the call that is under way. Rejects with the reason of the caller's
   * signal.
   */
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
      // Callers that still wait get the error; without any, it must not become an unhandled rejection.
      value.catch(() => {});
      flight = { value, controller, callers: 0 };
      this.#inFlight.set(key, flight);
    }
    const joined = flight;
    joined.callers++;
    try {
      return await (signal ? unlessAborted(joined.value, signal) : joined.value);
    } finally {
      joined.callers--;
      if (joined.callers === 0 && this.#inFlight.get(key) === joined) {
        this.#inFlight.delete(key);
        joined.controller.abort();
      }
    }
  }
}

function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
