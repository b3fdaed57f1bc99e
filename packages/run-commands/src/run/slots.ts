/** How many tasks may wait for a slot. */
const maxWaiting = 16;

/** Limits how many tasks run at the same time. Further tasks wait, and start in order. */
export class Slots {
  readonly #max: number;
  readonly #running: string[] = [];
  readonly #waiting: { readonly name: string; readonly start: () => void }[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Runs a task when a slot is free. Calls `waits` if the task has to wait. Throws if too many tasks wait, or
   * if `signal` aborts while the task waits.
   */
  async run<T>(
    name: string,
    { signal, waits }: { signal: AbortSignal; waits: (running: readonly string[]) => void },
    task: () => Promise<T>,
  ): Promise<T> {
    if (this.#running.length >= this.#max) {
      if (this.#waiting.length >= maxWaiting)
        throw new Error(
          `${this.#running.length} commands are running (${this.#running.join(', ')}) and ${maxWaiting} are waiting; call again when one has ended`,
        );
      waits(this.#running);
      await this.#wait(name, signal);
    } else {
      this.#running.push(name);
    }
    try {
      return await task();
    } finally {
      this.#running.splice(this.#running.indexOf(name), 1);
      this.#startNext();
    }
  }

  /** Gives the free slot to the first waiting task immediately, so that no later call can take it. */
  #startNext(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.#running.push(next.name);
    next.start();
  }

  async #wait(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { name, start: resolve };
    const abort = () => {
      const at = this.#waiting.indexOf(waiting);
      // The task already has its slot, and has to react to the signal itself.
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason as Error);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', abort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', abort));
  }
}
