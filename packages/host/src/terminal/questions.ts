/**
 * Asks one question at a time in the terminal, so that the answer to one server is not taken for that to
 * another.
 */
export class Questions {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `ask` after all earlier questions have ended; rejects without asking if `signal` has aborted by
   * then.
   */
  ask<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const next = this.#last.then(() => {
      signal?.throwIfAborted();
      return ask();
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
