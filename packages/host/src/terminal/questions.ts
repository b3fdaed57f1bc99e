/**
 * Lets one question at a time have the terminal: of servers that ask at the same time, the answer to one
 * is not that to another.
 */
export class Questions {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `ask` after the questions before it; rejects immediately if its signal is aborted by then. */
  ask<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const next = this.#last.then(() => {
      signal?.throwIfAborted();
      return ask();
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
