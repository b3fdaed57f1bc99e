/** Runs work with the same key one after the other, and work with different keys concurrently. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(work, work);
    this.#tails.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    }
  }
}
