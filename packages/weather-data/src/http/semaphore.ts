/** Limits how many callers run at the same time; the others wait in order. */
export class Semaphore {
  readonly #maxConcurrency: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(maxConcurrency: number) {
    this.#maxConcurrency = maxConcurrency;
  }

  /** Waits for a permit. Returns a function that releases it; rejects with the reason of the signal. */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#maxConcurrency) this.#taken++;
    else await this.#wait(signal);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(grant), 1);
        reject(signal?.reason as Error);
      };
      this.#waiting.push(grant);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
