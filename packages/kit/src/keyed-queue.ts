/** Runs tasks with the same key one after the other, and tasks with different keys concurrently. */
export class KeyedQueue<Key = string> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Runs a task when all earlier tasks with its key have ended, successfully or not. */
  async run<Result>(key: Key, task: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(task, task);
    this.#last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key);
    }
  }
}
