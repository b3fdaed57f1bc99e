/** Maximum number of calls of a view at a time: a browser has six connections, and the page needs some. */
const maxRunning = 3;
const maxWaiting = 100;

/** Runs a few pieces of work at a time, in their order. Rejects one that is too many to wait. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= maxWaiting) throw new Error(`${maxWaiting} calls wait for their turn`);
    if (this.#running < maxRunning) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next one takes this place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
