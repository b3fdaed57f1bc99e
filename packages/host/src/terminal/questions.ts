/** Asks one question at a time, so that no answer is taken for that to another server. */
export class Questions {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `ask` after earlier questions; rejects if `signal` has aborted by then. */
  ask<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const next = this.#last.then(() => {
      signal?.throwIfAborted();
      return ask();
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
