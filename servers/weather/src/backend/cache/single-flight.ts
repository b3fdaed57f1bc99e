interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly stop: AbortController;
  waiting: number;
}

/** Does the same thing once for everyone who wants it at the same time, until the last of them gives up. */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  async join(
    key: string,
    start: (signal: AbortSignal) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value> {
    signal?.throwIfAborted();
    let flight = this.#flights.get(key);
    if (!flight) {
      const stop = new AbortController();
      const value = start(stop.signal).finally(() => {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
      // Whoever waits hears of a failure; when nobody does any more, nobody has to.
      value.catch(() => {});
      flight = { value, stop, waiting: 0 };
      this.#flights.set(key, flight);
    }
    const joined = flight;
    joined.waiting++;
    try {
      return await (signal ? unlessAborted(joined.value, signal) : joined.value);
    } finally {
      joined.waiting--;
      if (joined.waiting === 0 && this.#flights.get(key) === joined) {
        this.#flights.delete(key);
        joined.stop.abort();
      }
    }
  }
}

function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    signal.addEventListener('abort', give, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
